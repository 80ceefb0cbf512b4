// Placeholder: ScanLibrary is being written.
