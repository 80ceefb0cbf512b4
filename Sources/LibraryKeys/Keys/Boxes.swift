private import CSystemSodium

/// Random bytes that are no secret, such as salts and nonces.
func randomBytes(_ count: Int) -> [UInt8] {
  guard Sodium.isReady else { preconditionFailure("libsodium has no source of random bytes") }
  var bytes = [UInt8](repeating: 0, count: count)
  unsafe randombytes_buf(&bytes, count)
  return bytes
}

/// XChaCha20-Poly1305 of some bytes, bound to a context.
func encrypted(
  _ content: UnsafePointer<UInt8>, count: Int, key: SecretBytes, nonce: [UInt8], context: String
) -> [UInt8] {
  let context = Array(context.utf8)
  var box = [UInt8](repeating: 0, count: count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES))
  unsafe key.read { keyBytes in
    // With these sizes it can't fail: it always returns 0.
    unsafe _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
      &box, nil, content, UInt64(count), context, UInt64(context.count), nil, nonce, keyBytes)
  }
  return box
}

/// What a box holds, or `nil` when it wasn't made with this key, nonce and context.
func decrypted(
  _ box: [UInt8], key: SecretBytes, nonce: [UInt8], context: String
) throws(KeyError) -> SecretBytes? {
  let context = Array(context.utf8)
  let count = box.count - Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
  guard count >= 0 else { return nil }
  var isGenuine = false
  let content = try unsafe SecretBytes(count: count) { memory in
    unsafe key.read { keyBytes in
      isGenuine =
        unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          memory, nil, nil, box, UInt64(box.count), context, UInt64(context.count), nonce, keyBytes) == 0
    }
    return 0
  }
  return isGenuine ? content : nil
}
