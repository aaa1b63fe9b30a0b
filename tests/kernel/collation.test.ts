import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collationKey, compareCodePoints } from '../../server/kernel/collation.ts'

const sorted = (texts: readonly string[]): string[] =>
  texts.toSorted((one, other) => compareCodePoints(collationKey(one), collationKey(other)))

describe('collation keys of texts', () => {
  it('follow the root order: spaces, punctuation, symbols with emoji, currencies, digits, letters, ideographs', () => {
    const order = [
      ' a',
      '_a',
      '«a',
      '☺ a',
      '⛵',
      '❤',
      '🇩🇪',
      '👍',
      '👍🏽',
      '🔧',
      '😀 a',
      '🦀',
      '$1',
      '€',
      '1',
      '1️⃣',
      '10',
      'a',
      'Á',
      'b',
      '한',
      '中',
    ]
    expect(sorted(order.toReversed())).toStrictEqual(order)
    // In the order of the language, except that emoji are not sorted by meaning.
    const groups = ['_', '☺', '😀', '$', '1', 'a', '한', '中']
    expect(sorted(groups)).toStrictEqual(groups.toSorted(new Intl.Collator('und').compare))
  })

  it('sort texts that begin with an emoji before texts that begin with a letter', () => {
    expect(sorted(['🔧 b', '🔧 a', '🔧', 'a🔧', 'a', 'ヽa', 'ヽ'])).toStrictEqual(['ヽ', 'ヽa', '🔧', '🔧 a', '🔧 b', 'a', 'a🔧'])
  })

  it('differ exactly when the texts differ', () => {
    const texts = fc.array(fc.constantFrom('a', 'É', '🔧', '\u0001', '中', ' ')).map((parts) => parts.join(''))
    fc.assert(fc.property(texts, texts, (one, other) => (collationKey(one) === collationKey(other)) === (one === other)))
  })
})
