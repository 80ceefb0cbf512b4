// Placeholder: PageDetection is being written.
