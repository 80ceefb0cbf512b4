// Placeholder: ScanPipeline is being written.
