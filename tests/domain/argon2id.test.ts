import { expect, it } from 'vitest'
import { argon2id, argon2idOfWasm } from '../../server/domain/people/argon2id.ts'

it.each([
  { memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
  { memory: 256, passes: 3, parallelism: 2, tagLength: 16 },
])('the package and the runtime compute the same Argon2id digest for $memory KiB, $passes passes', async (cost) => {
  const input = { message: Buffer.from('høyvann 11:40'), nonce: Buffer.alloc(16, 7), ...cost }
  expect(await argon2idOfWasm(input)).toEqual(await argon2id(input))
})
