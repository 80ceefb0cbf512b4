// Placeholder: PerspectiveCorrection is being written.
