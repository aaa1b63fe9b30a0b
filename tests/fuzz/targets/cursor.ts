import { isDeepStrictEqual } from 'node:util'
import { Cursors } from '../../../server/kernel/cursors.ts'
import { mutateText } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'

const NOW = Date.parse('2026-05-16T04:30:00.000Z')
const ID = '3af9f30c-5a66-4477-bda9-d8c096d38ff5'
const cursors = new Cursors(Buffer.alloc(32, 7))
const made = [
  cursors.encode(['list', null], ['a', ID], NOW),
  cursors.encode(['list', null], [], NOW),
  cursors.encode(['list', null], ['x'.repeat(40), '\ud83d\ude00'], NOW),
]
const ofIds = [cursors.encodeId(['list', null], ID, NOW), cursors.encodeId(['list', null], ID.replace('3', '4'), NOW)]
const genuine = new Set(made)

/** Only cursors made by the service are valid, and reading one returns the values it was made of. */
export const target: Target = {
  seeds: [...made, ...ofIds, '', 'null', '["a","b"]'],
  words: [...made, ...ofIds, '=', '-', '_', '+', '/', 'AAAA', '0000'],
  mutate: mutateText,
  growsTo: 65_536,
  check(input) {
    const found = cursors.decode(['list', null], input, NOW)
    if (found && !genuine.has(input)) throw new Broken('a changed cursor is refused', JSON.stringify(found))
    checkId(input)
    const parts = input.split('\n')
    const binding = parts.slice(0, parts.length >> 1)
    const position = parts.slice(parts.length >> 1)
    const cursor = cursors.encode(binding, position, NOW)
    if (!isDeepStrictEqual(cursors.decode(binding, cursor, NOW), position))
      throw new Broken('a cursor is read as what it was made of', cursor)
    if (cursors.decode([...binding, null], cursor, NOW)) throw new Broken('a cursor of another list is refused', cursor)
    const at = input.length % cursor.length
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    if (cursors.decode(binding, changed, NOW)) throw new Broken('a cursor with another character is refused', changed)
  },
}

/** Checks the id that is hidden in the cursor's 24 digits: a forged cursor must only be accepted if its ids look recently created. */
function checkId(input: string): void {
  const range = cursors.decodeId(['list', null], input, NOW)
  if (!range || ofIds.includes(input)) return
  if (range.from.slice(0, 28) !== range.to.slice(0, 28)) throw new Broken('a range is of ids that begin alike', range.from)
}
