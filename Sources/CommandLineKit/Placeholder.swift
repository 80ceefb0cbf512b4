// Placeholder: CommandLineKit is being written.
