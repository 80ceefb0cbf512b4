private import ImageCodecs

/// How photos are put together to scans.
package struct GroupingOptions: Sendable {
  /// A scan a photo, instead of a scan a folder.
  package var separate: Bool
  /// Sub-folders too, each a scan of its own.
  package var recursive: Bool
  /// A folder that is never looked into: the library, which holds photos itself.
  package var excludedFolder: String?

  package init(separate: Bool = false, recursive: Bool = false, excludedFolder: String? = nil) {
    self.separate = separate
    self.recursive = recursive
    self.excludedFolder = excludedFolder
  }
}

/// Photos that become one scan.
package struct ScanJob: Sendable, Hashable {
  package var title: String
  package var photos: [PhotoFile]
  /// The title is the first photo's name; when that one can't be used, it becomes the name of the first that can.
  package var isNamedAfterPhoto: Bool

  package init(title: String, photos: [PhotoFile], isNamedAfterPhoto: Bool = false) {
    self.title = title
    self.photos = photos
    self.isNamedAfterPhoto = isNamedAfterPhoto
  }
}

/// A path that could not become a page, and why.
package struct InputFault: Sendable {
  package let path: String
  package let error: any Error & CustomStringConvertible
}

/// A folder that was asked for and has no picture in it; a clause that follows "can't scan NAME: ".
package enum FolderFault: Error, CustomStringConvertible {
  case noPictures
  case nameNotUTF8
  /// It is the library, or lies in it.
  case isLibrary

  package var description: String {
    switch self {
    case .noPictures: "no picture is in this folder"
    case .nameNotUTF8: "the name isn't valid UTF-8; rename it"
    case .isLibrary: "it is the library itself, whose photos are scans already"
    }
  }
}

/// What there is to scan: files and folders as given, opened up, grouped and put in order.
package struct PhotoPlan: Sendable {
  package private(set) var jobs: [ScanJob] = []
  package private(set) var faults: [InputFault] = []
  /// Files in folders whose contents are no picture, hidden ones and such that are no files.
  package private(set) var passedOverFiles = 0
  /// Sub-folders that were not looked into.
  package private(set) var passedOverFolders = 0

  package var photoCount: Int { jobs.reduce(0) { $0 + $1.photos.count } }

  /// Looks at the paths and into the folders among them.
  ///
  /// Each folder is a scan named after it; all files given by themselves are one scan, named after the first. A file that
  /// is given is always tried. A file found in a folder is tried when its first bytes are a picture's or its name claims so.
  package init(paths: [String], options: GroupingOptions) {
    let excluded = options.excludedFolder.flatMap(Folder.identity)
    var files: [PhotoFile] = []
    for path in paths {
      if path != "-", Folder.isFolder(path) {
        if let library = options.excludedFolder, lies(path, in: library) {
          faults.append(InputFault(path: path, error: FolderFault.isLibrary))
          continue
        }
        let before = jobs.count + faults.count
        addFolder(path, options: options, excluded: excluded)
        if jobs.count + faults.count == before {
          faults.append(InputFault(path: path, error: FolderFault.noPictures))
        }
      } else {
        files.append(PhotoFile(path: path))
      }
    }
    // Files that were named come first: they are what was asked for most plainly.
    if let first = files.first, !options.separate {
      jobs.insert(ScanJob(title: first.stem, photos: files, isNamedAfterPhoto: true), at: 0)
    } else {
      jobs.insert(contentsOf: files.map { ScanJob(title: $0.stem, photos: [$0]) }, at: 0)
    }
  }

  private mutating func addFolder(
    _ path: String, options: GroupingOptions, excluded: Folder.Identity?
  ) {
    let folder: Folder
    do {
      folder = try Folder(path: path)
    } catch {
      faults.append(InputFault(path: path, error: error))
      return
    }
    var photos: [PhotoFile] = []
    var subfolders: [String] = []
    for entry in folder.entries {
      switch entry {
      case .file(let name):
        let photo = PhotoFile(path: join(path, name))
        if looksLikePicture(photo) { photos.append(photo) } else { passedOverFiles += 1 }
      case .folder(let name): subfolders.append(join(path, name))
      case .hidden, .other: passedOverFiles += 1
      case .unreadableName(let name):
        faults.append(InputFault(path: join(path, name), error: FolderFault.nameNotUTF8))
      }
    }
    if options.separate {
      jobs += photos.map { ScanJob(title: $0.stem, photos: [$0]) }
    } else if !photos.isEmpty {
      jobs.append(ScanJob(title: folderTitle(path), photos: photos))
    }
    for subfolder in subfolders {
      if options.recursive, excluded == nil || Folder.identity(of: subfolder) != excluded {
        addFolder(subfolder, options: options, excluded: excluded)
      } else {
        passedOverFolders += 1
      }
    }
  }

  /// Whether a file found in a folder is worth trying.
  private func looksLikePicture(_ photo: PhotoFile) -> Bool {
    let suffix = photo.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if Self.pictureSuffixes.contains(suffix) { return true }
    do {
      return ImageFormat.sniff(try photo.read(first: ImageFormat.sniffedBytes)) != nil
    } catch {
      // What can't be opened and doesn't claim to be a picture is somebody else's file.
      return false
    }
  }

  /// A file with one of these is named when it can't be read, instead of passed over with a count.
  private static let pictureSuffixes: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "tif", "tiff", "heic", "heif", "hif",
  ]
}

/// Whether a folder is another one or lies in it, however both are reached.
private func lies(_ path: String, in folder: String) -> Bool {
  guard let path = resolvedPath(path), let folder = resolvedPath(folder) else { return false }
  return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
}

/// What a folder is called, also when it is given as `.` or `..`.
private func folderTitle(_ path: String) -> String {
  let name = lastComponent(of: path)
  guard name == "." || name == ".." || path.allSatisfy({ $0 == "/" }) else { return name }
  return resolvedPath(path).map(lastComponent) ?? name
}

extension PhotoPlan {
  /// Gives all scans this title, with a number behind it when there are several.
  package mutating func setTitle(_ title: String) {
    for index in jobs.indices {
      jobs[index].title = jobs.count == 1 ? title : "\(title) \(index + 1)"
      jobs[index].isNamedAfterPhoto = false
    }
  }
}
