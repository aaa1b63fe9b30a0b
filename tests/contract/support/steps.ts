/**
 * Counts the operations of synchronous work on a value and on lists: each access to the value or anything in it, each element pushed onto a
 * list, and each element copied between lists. Unlike time, the count is the same on a busy machine.
 */
export function countSteps(value: unknown, work: (watched: unknown) => void): number {
  let steps = 0
  const watched = watch(value, new WeakMap(), () => (steps += 1))
  const { push, concat } = Array.prototype
  Array.prototype.push = function (...added: unknown[]): number {
    steps += added.length
    return push.apply(this, added)
  }
  Array.prototype.concat = function (...added: unknown[]): unknown[] {
    const joined: unknown[] = concat.apply(this, added)
    steps += joined.length
    return joined
  }
  try {
    work(watched)
  } finally {
    Object.assign(Array.prototype, { push, concat })
  }
  return steps
}

function watch(value: unknown, known: WeakMap<object, object>, seen: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before) return before
  const proxy = new Proxy(value, {
    get: (target, key, receiver) => {
      seen()
      return watch(Reflect.get(target, key, receiver), known, seen)
    },
    has: (target, key) => {
      seen()
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      const keys = Reflect.ownKeys(target)
      for (const _key of keys) seen()
      return keys
    },
    getOwnPropertyDescriptor: (target, key) => {
      seen()
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
  known.set(value, proxy)
  return proxy
}
