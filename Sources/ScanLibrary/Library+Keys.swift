package import LibraryKeys

extension Library {
  /// Gives the library other ways to its key: another passphrase, or another recovery key.
  ///
  /// Files stay as they are. An old copy of `library.json` still opens the library by the old ways.
  package func changeSlots(
    _ change: ([KeySlot]) throws(KeyError) -> [KeySlot]
  ) throws(LibraryError) {
    try asWriter { staging throws(LibraryError) in
      var header = try Self.readHeader(in: root, path: path)
      do throws(KeyError) {
        let slots = try change(header.keys?.slots ?? [])
        header.keys?.slots = slots
      } catch {
        throw .key(error)
      }
      try Self.writeHeader(header, to: root, through: staging)
    }
  }

  /// Begins to seal the library with a new key: the library is to be opened anew with it, and `finishSealing` called.
  ///
  /// An owner-only library becomes a sealed one, and a sealed one gets the new key in the place of its own.
  package func beginSealing(_ new: NewKeys) throws(LibraryError) {
    guard new.id == id else { throw .unfit("the new key is another library's") }
    try asWriter { staging throws(LibraryError) in
      guard !isChangingKey else { throw .unfit("the library's key is being changed already") }
      let state = key.map { KeyState(previous: $0) } ?? KeyState(phase: .converting)
      try Self.writeHeader(try new.header(state: state), to: root, through: staging)
    }
  }

  /// Seals every file with the library's own key, as far as it isn't, and then forgets that there was another.
  ///
  /// It may be called again after it was stopped, and goes on where it was. Other writers wait for a scan at a time.
  /// - Parameter progress: called with scans done and scans in all.
  /// - Returns: what couldn't be sealed since it is damaged. As long as there is any, the old key, or open files, stay.
  package func finishSealing(
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> [VerifyFinding] {
    guard let key, isChangingKey else { return [] }
    var findings: [VerifyFinding] = []
    let places = try sealingPlaces()
    for (index, place) in places.enumerated() {
      try asWriter { staging throws(LibraryError) in
        findings += try seal(place, staging)
      }
      progress(index + 1, places.count)
    }
    guard findings.isEmpty else { return findings }
    try asWriter { staging throws(LibraryError) in
      // Scans that came in meanwhile are sealed with the new key: a writer that has another gives up.
      var header = try Self.readHeader(in: root, path: path)
      do throws(KeyError) {
        header.keys?.state = try KeyState().sealed(with: key, library: id.text)
      } catch {
        throw .key(error)
      }
      try Self.writeHeader(header, to: root, through: staging)
    }
    return []
  }

  /// A folder of files of one scan.
  private struct SealingPlace {
    var container: String
    var name: String
    var scan: ScanID
  }

  private func sealingPlaces() throws(LibraryError) -> [SealingPlace] {
    var places: [SealingPlace] = []
    for name in try scansFolder.names().sorted() {
      if let id = ScanID(name) {
        places.append(SealingPlace(container: Self.scansFolderName, name: name, scan: id))
      }
    }
    for container in [TrashEntry.folderName, Self.asideFolderName] {
      guard let folder = try root.folderIfThere(container) else { continue }
      for name in try folder.names().sorted() {
        if let entry = TrashEntry(name: name) {
          places.append(SealingPlace(container: container, name: name, scan: entry.scan))
        }
      }
    }
    return places
  }

  /// Seals the files of one folder.
  private func seal(_ place: SealingPlace, _ staging: Folder) throws(LibraryError) -> [VerifyFinding] {
    guard let container = try root.folderIfThere(place.container),
      let folder = try container.folderIfThere(place.name)
    else { return [] }
    let isAside = place.container == Self.asideFolderName
    var names = try folder.names().filter { $0 == ScanRecord.fileName || isFileOfOurs($0) }.sorted()
    var remaining: [String] = []
    for name in names where try !vault.isSealedAnew(name, in: folder) { remaining.append(name) }
    names = remaining
    if names.isEmpty { return [] }
    var files: [String: StoredFile] = [:]
    var findings: [VerifyFinding] = []
    func note(_ name: String, _ error: LibraryError) {
      findings.append(
        VerifyFinding(
          gravity: .damage, scan: place.scan, file: "\(place.container)/\(place.name)/\(name)",
          text: "can't be sealed: \(error)"))
    }
    if !isAside {
      do {
        let record = try readRecord(place.scan, in: folder).record
        for photo in record.photos { files[photo.fileName] = photo.file }
        for page in record.pages { files[page.fileName] = page.file }
      } catch {
        note(ScanRecord.fileName, error)
        return findings
      }
    }
    let mark = StagingEntry.change(place.scan).name
    try staging.removeAll(mark)
    let staged = try staging.makeFolder(mark)
    for name in names {
      do {
        let content =
          if let file = files[name] {
            try vault.read(name, in: folder, of: place.scan, expecting: file)
          } else {
            try vault.read(name, in: folder, of: place.scan, limit: StoredFile.maximumBytes).bytes
          }
        try vault.replace(content, as: name, in: folder, of: place.scan, through: staged)
      } catch .damagedFile(let scan, let file, let damage) {
        // What was set aside as damaged stays as it is.
        if !isAside { note(name, .damagedFile(scan: scan, file: file, damage: damage)) }
      }
    }
    try folder.sync()
    try staging.removeAll(mark)
    return findings
  }

  /// Makes `library.json` and its copy agree again after a crash between the two, or damage to one.
  func healHeader(through staging: Folder) throws(LibraryError) {
    guard header.keys != nil else { return }
    let current = try Self.readHeader(in: root, path: path)
    if faultyHeader(beside: current) != nil { try Self.writeHeader(current, to: root, through: staging) }
  }

  /// Which of both is missing, damaged, or not what is in force.
  private func faultyHeader(beside current: LibraryHeader) -> String? {
    [LibraryHeader.fileName, LibraryHeader.copyName].first { name in
      do throws(LibraryError) {
        return try Self.readHeader(name, in: root, path: path) != current
      } catch {
        return true
      }
    }
  }

  /// The same, for a repair; every other writer does it too.
  ///
  /// - Returns: the name of the file that was made again, or `nil` when both were whole.
  package func healHeader() throws(LibraryError) -> String? {
    let faulty = header.keys == nil ? nil : faultyHeader(beside: try Self.readHeader(in: root, path: path))
    try asWriter { _ throws(LibraryError) in }
    return faulty
  }

  /// Gives up if another program has changed the library's protection or key since this one opened it.
  func recheckHeader() throws(LibraryError) {
    guard try Self.readHeader(in: root, path: path).agrees(with: header) else {
      throw .protectionChanged(path: path)
    }
  }
}
