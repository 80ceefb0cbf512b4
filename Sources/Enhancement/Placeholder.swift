// Placeholder: Enhancement is being written.
