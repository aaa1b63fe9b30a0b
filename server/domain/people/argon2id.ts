import * as crypto from 'node:crypto'
import { promisify } from 'node:util'

/** The input of Argon2id: memory in KiB, the tag length in bytes. */
export interface Argon2idInput {
  readonly message: Buffer
  readonly nonce: Buffer
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

/** Node.js has it since 24.7. It does not block the main thread. */
const native = 'argon2' in crypto ? promisify(crypto.argon2) : undefined

/** The tag of Argon2id, version 19. */
export function argon2id(input: Argon2idInput): Promise<Buffer> {
  return native === undefined ? argon2idOfWasm(input) : native('argon2id', input)
}

/** The fallback for older versions of Node.js. It blocks the thread for about 50 ms. */
export async function argon2idOfWasm({ message, nonce, memory, passes, ...input }: Argon2idInput): Promise<Buffer> {
  const { argon2id: derive } = await import('hash-wasm')
  const { parallelism, tagLength: hashLength } = input
  const options = { password: message, salt: nonce, memorySize: memory, iterations: passes, parallelism, hashLength }
  return Buffer.from(await derive({ ...options, outputType: 'binary' }))
}
