import type { DatedShape } from './dated_shape.ts'
import type { TrackedValue, WrittenObject } from './tracked_value.ts'
import type { Node } from '@babel/types'

/** Receives each property and value that only the older contract has. @param subjects its name, or the names of an object */
type OnLost = (node: Node, subjects: readonly string[]) => void

/**
 * Compares a value that is sent with the contracts.
 * @returns whether the code itself contains the whole value
 */
export function checkSent(value: TrackedValue | undefined, shape: DatedShape | undefined, onLost: OnLost): boolean {
  switch (value?.kind) {
    case 'object':
      return checkObject(value, shape, onLost)
    case 'text':
      if (shape?.losesValue(value.text)) onLost(value.node, [value.text])
      return true
    case 'list':
      return all(value.items, (item) => checkSent(item, shape?.items(), onLost))
    case 'each':
      return checkSent(value.of, shape?.items(), onLost)
    case 'either':
      return all(value.of, (one) => checkSent(one, shape, onLost))
    default:
      return false
  }
}

function checkObject(value: WrittenObject, shape: DatedShape | undefined, onLost: OnLost): boolean {
  const names = [...value.members.keys()]
  const lost = names.filter((name) => shape?.losesKey(name))
  for (const name of lost) onLost(value.members.get(name)?.key ?? value.node, [name])
  if (lost.length === 0 && value.spread.length === 0 && shape?.losesForm(names)) onLost(value.node, names)
  const kept = [...value.members].filter(([name]) => !lost.includes(name))
  const areWritten = all(kept, ([name, member]) => {
    // Of a value that the program computes, only the names of members can have changed.
    if (member.value === undefined) return !shape?.member(name)?.hasMembers
    return checkSent(member.value, shape?.member(name), onLost)
  })
  return all(value.spread, (one) => checkSent(one, shape, onLost)) && areWritten
}

/** Like `every`, but tests all items even after a failure. */
function all<Item>(items: readonly Item[], test: (item: Item) => boolean): boolean {
  return items.map(test).every(Boolean)
}
