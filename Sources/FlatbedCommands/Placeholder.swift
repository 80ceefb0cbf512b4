// Placeholder: FlatbedCommands is being written.
