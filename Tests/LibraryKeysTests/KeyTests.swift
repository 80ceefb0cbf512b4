import Foundation
import LibraryKeys
import TestSupport
import Testing

/// Argon2id as cheap as libsodium allows, and limits that let it through: only in tests.
let cheapCost = PassphraseCost(memory: 8192, passes: 1)
let cheapLimits = PassphraseLimits(memory: 8192...1 << 20, passes: 1...4)

func passphrase(_ text: String) throws -> Passphrase {
  var bytes = Array(text.utf8)
  return try Passphrase(taking: &bytes)
}

@Suite("Keys")
struct KeyTests {
  private static let library = "5d2a7c1e-0b3f-4e6a-9c8d-1f2e3d4c5b6a"

  @Test("a slot opens with its passphrase, in its library, and with nothing else")
  func slots() throws {
    let key = try LibraryKey.random()
    let right = try passphrase("violet Fährte 12")
    let slot = try KeySlot(passphrase: right, for: key, library: Self.library, cost: cheapCost)
    let opened = try [slot].open(right, library: Self.library, limits: cheapLimits)
    #expect(opened.secret.equals(key.secret) && opened.name == key.name)
    for wrong in ["violet Fährte 13", "violet Fährte 12 ", "Violet Fährte 12"] {
      #expect(throws: KeyError.wrongPassphrase) {
        try [slot].open(try passphrase(wrong), library: Self.library, limits: cheapLimits)
      }
    }
    #expect(throws: KeyError.wrongPassphrase) {
      try [slot].open(right, library: Self.library + "0", limits: cheapLimits)
    }
  }

  @Test("a slot that was changed in any byte doesn't open")
  func changedSlots() throws {
    let right = try passphrase("violet Fährte 12")
    let slot = try KeySlot(
      passphrase: right, for: try LibraryKey.random(), library: Self.library, cost: cheapCost)
    for field in [\KeySlot.salt, \.nonce, \.wrapped] {
      for index in slot[keyPath: field].indices {
        var changed = slot
        changed[keyPath: field][index] ^= 0x20
        #expect(throws: KeyError.wrongPassphrase) {
          try [changed].open(right, library: Self.library, limits: cheapLimits)
        }
      }
    }
    var cheaper = slot
    cheaper.kind = .passphrase(PassphraseCost(memory: 16384, passes: 1))
    #expect(throws: KeyError.wrongPassphrase) {
      try [cheaper].open(right, library: Self.library, limits: cheapLimits)
    }
  }

  @Test(
    "a header that asks for too little, too much or something odd is refused before anything is computed",
    arguments: [
      (8192, 1), (255 << 20, 3), (256 << 20, 2), (256 << 20 + 1, 3), (2 << 30 + 1024, 3), (256 << 20, 17),
      (1 << 49, 3), (0, 0),
    ])
  func costs(memory: Int, passes: Int) throws {
    var slot = try KeySlot(
      passphrase: try passphrase("violet Fährte 12"), for: try LibraryKey.random(), library: Self.library,
      cost: cheapCost)
    slot.kind = .passphrase(PassphraseCost(memory: memory, passes: passes))
    #expect(throws: KeyError.unfitCost(memory: memory, passes: passes)) {
      try [slot].open(try passphrase("violet Fährte 12"), library: Self.library)
    }
  }

  @Test("new passphrases cost what libsodium calls moderate, and its program's limits take that")
  func standardCost() throws {
    #expect(PassphraseCost.standard == PassphraseCost(memory: 268_435_456, passes: 3))
    let right = try passphrase("violet Fährte 12")
    let slot = try KeySlot(passphrase: right, for: try LibraryKey.random(), library: Self.library)
    #expect(throws: Never.self) { try [slot].open(right, library: Self.library) }
  }

  @Test("a recovery key is read back from what was written down, however it was written")
  func recovery() throws {
    let key = try LibraryKey.random()
    let recovery = try RecoveryKey.random()
    let slot = try KeySlot(recovery: recovery, for: key, library: Self.library)
    let text = String(decoding: try recovery.text(), as: UTF8.self)
    #expect(text.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}/) != nil, "\(text)")
    let forms = [
      text, text.lowercased(), text.replacing("-", with: " "), text.replacing("-", with: ""),
      text.replacing("0", with: "O").replacing("1", with: "l") + "\n",
    ]
    for form in forms {
      let read = try RecoveryKey(reading: Array(form.utf8))
      #expect(read.equals(recovery))
      #expect(try [slot].open(read, library: Self.library).secret.equals(key.secret))
    }
    #expect(throws: KeyError.wrongRecoveryKey) {
      try [slot].open(try RecoveryKey.random(), library: Self.library)
    }
  }

  @Test("a slip in a recovery key is found before it is tried")
  func recoverySlips() throws {
    let text = try RecoveryKey.random().text()
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      var slip = text
      slip[index] = text[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      #expect(throws: KeyError.badRecoveryKey(reason: "a letter or digit is wrong")) {
        try RecoveryKey(reading: slip)
      }
    }
    for short in ["", "7", String(decoding: text.dropLast(), as: UTF8.self), "UUUU"] {
      #expect(throws: KeyError.self) { try RecoveryKey(reading: Array(short.utf8)) }
    }
  }

  @Test("the state opens with the library's key only, and gives back the key before")
  func state() throws {
    let key = try LibraryKey.random()
    let previous = try LibraryKey.random()
    let sealed = try KeyState(previous: previous).sealed(with: key, library: Self.library)
    let opened = try KeyState(opening: sealed, with: key, library: Self.library)
    #expect(opened.phase == .steady && opened.previous?.secret.equals(previous.secret) == true)
    let converting = try KeyState(phase: .converting).sealed(with: key, library: Self.library)
    #expect(try KeyState(opening: converting, with: key, library: Self.library).phase == .converting)
    #expect(throws: KeyError.foreignState) {
      try KeyState(opening: sealed, with: previous, library: Self.library)
    }
    #expect(throws: KeyError.foreignState) { try KeyState(opening: sealed, with: key, library: "other") }
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: KeyError.foreignState) {
        try KeyState(opening: changed, with: key, library: Self.library)
      }
      #expect(throws: KeyError.foreignState) {
        try KeyState(opening: Array(sealed[..<index]), with: key, library: Self.library)
      }
    }
  }

  @Test("secrets are taken from where they were, which is overwritten")
  func taking() throws {
    var bytes = Array("correct horse".utf8)
    let secret = try SecretBytes(taking: &bytes)
    #expect(bytes.isEmpty && secret.count == 13)
    let same = try unsafe SecretBytes(count: 13) { memory in
      for (index, byte) in "correct horse".utf8.enumerated() { unsafe memory[index] = byte }
      return 0
    }
    #expect(secret.equals(same))
  }
}
