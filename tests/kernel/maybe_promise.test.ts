import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { together } from '../../server/kernel/maybe_promise.ts'

describe('together()', () => {
  it('has values immediately when none is pending', () => {
    expect(together([1, 'two'])).toEqual([1, 'two'])
  })

  it('waits for pending values', async () => {
    expect(await together([1, Promise.resolve('two'), undefined])).toEqual([1, 'two', undefined])
  })

  it('throws the first error once nothing is pending', async () => {
    const done: string[] = []
    const fails = async (name: string, turns: number): Promise<never> => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      done.push(name)
      throw new Error(name)
    }
    const slow = async (): Promise<void> => {
      for (let turn = 0; turn < 9; turn += 1) await nextTurn()
      done.push('slow')
    }
    await expect(together([fails('second', 5), fails('first', 1), slow()])).rejects.toThrow('first')
    expect(done).toEqual(['first', 'second', 'slow'])
  })
})
