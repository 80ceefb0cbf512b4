import DocumentOutput

extension Failure {
  /// Why nothing could be printed, or the printers not be listed.
  init(printing error: PrintError) {
    switch error {
    case .programMissing:
      self.init(.printSystem, "\(error)", hints: ["install it: apt install cups-client"])
    case .notRunning, .timedOut:
      self.init(.printSystem, "\(error)", hints: ["start it: systemctl start cups"])
    case .noPrinter:
      self.init(.printSystem, "\(error)", hints: ["set one up with 'lpadmin' or the system's settings"])
    case .noDefault:
      self.init(
        .printRefused, "\(error)", hints: ["choose one with -d, or set the default with 'lpoptions -d NAME'"])
    case .unknownPrinter(let name, _):
      self.init(.printRefused, subject: name, "\(error)", hints: ["'flatbed printers' lists them"])
    case .stopped(let printer, _):
      self.init(
        .printRefused, subject: printer, "\(error)",
        hints: ["see to the printer, then 'cupsenable \(printer)'"])
    case .rejecting(let printer, _):
      self.init(
        .printRefused, subject: printer, "\(error)", hints: ["'cupsaccept \(printer)' lets it take jobs"])
    case .unknownMedia(_, let printer, _):
      self.init(.printRefused, subject: printer, "\(error)")
    case .copiesOutOfRange, .noPages, .failed, .outOfMemory, .system:
      self.init(.printSystem, "\(error)")
    }
  }
}
