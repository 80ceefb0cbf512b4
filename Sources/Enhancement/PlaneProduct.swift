/// Products value by value.
func product(_ first: [Float], _ second: [Float]) -> [Float] {
  let size = min(first.count, second.count)
  return unsafe [Float](unsafeUninitializedCapacity: size) { output, count in
    unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in
        for index in 0..<size { unsafe output[index] = first[index] * second[index] }
      }
    }
    count = size
  }
}
