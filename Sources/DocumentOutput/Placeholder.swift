// Placeholder: DocumentOutput is being written.
