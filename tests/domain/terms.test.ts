import { describe, expect, it } from 'vitest'
import { stopWords } from '../../server/domain/shared/words/stop_words.ts'
import { isTermIn, splitWords } from '../../server/domain/shared/words/terms.ts'

describe('search terms of a text', () => {
  it.each([
    ['The dock opens at 11:40, and the dock closes.', undefined, ['dock', 'opens', 'dock', 'closes']],
    ['Die Schleuse ist nicht offen', undefined, ['schleuse', 'offen']],
    // A German article that is also an English word.
    ['They would rather die than give up the boat', undefined, ['die', 'boat']],
    ['die boat', 'de', ['boat']],
    ['Ça, c’est l’écluse d’hier', 'fr', ['écluse', 'hier']],
    ['Это не шлюз, а мост', undefined, ['шлюз', 'мост']],
    ['caf\u0065\u0301 CAFÉ', 'en', ['café', 'café']],
    ['東京の水門、いつ', 'ja', ['東京', '水門', 'いつ']],
    ['ab cd 42 123', 'en', ['123']],
    ['What is this?', undefined, []],
    ['', undefined, []],
  ])('%j in %j are %j', (text, language, terms) => {
    const words = splitWords(text)
    const counts = new Map(words.map((word) => [word, words.filter((other) => other === word).length]))
    expect(words.filter(isTermIn(language ?? 'auto', counts))).toStrictEqual(terms)
  })

  it('each stop word is a single word that splitting leaves unchanged', () => {
    for (const [language, words] of stopWords)
      expect(
        [...words].filter((word) => splitWords(word).join() !== word),
        language,
      ).toStrictEqual([])
  })
})
