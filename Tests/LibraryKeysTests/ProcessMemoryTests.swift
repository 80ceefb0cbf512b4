import CProcessMemory
import Foundation
import Testing

@Suite("Memory of a program that has opened a protected library")
struct ProcessMemoryTests {
  @Test("is overwritten whole, whatever the block's size", arguments: [1, 24, 1000, 70_000, 5_000_000])
  func wiped(_ count: Int) throws {
    guard let block = unsafe malloc(count) else {
      Issue.record("no memory")
      return
    }
    defer { unsafe free(block) }
    unsafe memset(block, 0x5A, count)
    unsafe flatbed_wipe_block(block)
    let isZero = unsafe UnsafeRawBufferPointer(start: block, count: count).allSatisfy { $0 == 0 }
    #expect(isZero)
    flatbed_wipe_block(nil)
  }
}
