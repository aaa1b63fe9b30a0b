/** The first sentence of a page, which lists show. */

import { expect, test } from 'vitest'
import { firstSentence } from '../../scripts/docs/pages/page.ts'

test.each([
  ['Lists come in pages. They end.', 'Lists come in pages.'],
  ['Takes a `token`\nof **yours**\n\nMore.', 'Takes a token of yours'],
  ['There are two [forms](forms.md) of it:\n\n- one', 'There are two forms of it.'],
])('lists show the first sentence of %j', (text, sentence) => expect(firstSentence(text)).toBe(sentence))
