import { describe, expect, it } from 'vitest'
import { markedLines } from '../../../console/src/marked_lines.ts'

const body = { parent: { page_id: 'x' }, children: [{ paragraph: {} }, { to_do: { checked: 1, rich_text: [] } }] }
const marked = (...locations: string[]): string[] =>
  markedLines(body, locations).flatMap(({ text, isMarked }) => (isMarked ? [text.trim()] : []))

describe('the lines of a refused body', () => {
  it('are those of indented JSON', () => {
    for (const value of [body, [], {}, null, 'text', { a: [[1, [2]], {}] }]) {
      const text = markedLines(value, [])
        .map((line) => line.text)
        .join('\n')
      expect(text).toBe(JSON.stringify(value, undefined, 2))
    }
  })

  it('mark an invalid value with everything in it', () => {
    expect(marked('body.parent')).toEqual(['"parent": {', '"page_id": "x"', '},'])
    expect(marked('body.children[1].to_do.checked')).toEqual(['"checked": 1,'])
    expect(marked('body.parent.page_id', 'body.children[0].paragraph')).toEqual(['"page_id": "x"', '"paragraph": {}'])
  })

  it('mark the start of the value that lacks a part', () => {
    expect(marked('body.parent.type')).toEqual(['"parent": {'])
    expect(marked('body.children[7].to_do')).toEqual(['"children": ['])
    expect(marked('body.properties.Due date')).toEqual(['{'])
  })

  it('mark nothing for locations outside the body', () => {
    expect(marked('query.page_size', 'path.page_id')).toEqual([])
  })
})
