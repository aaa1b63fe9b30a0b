import { describe, expect, it } from 'vitest'
import { Origins, isRefused } from '../../server/versions/origins.ts'

const parts = (
  body: Record<string, unknown>,
): { path: object; query: object; body: unknown } & Record<'path' | 'query', Record<string, unknown>> => ({
  path: {},
  query: {},
  body,
})

describe('reported locations of a request upgraded from an older version', () => {
  it('follow renames through objects and arrays, and are otherwise unchanged', () => {
    const origins = new Origins()
    const content = { color: 'red', text: [{ text: { content: 'x' } }] }
    const body = { children: [{ divider: {} }, { paragraph: content }] }
    origins.rename(content, 'text', 'rich_text')
    expect(Object.keys(content)).toStrictEqual(['color', 'rich_text'])
    const where = (path: string): string => origins.translatePath(path, parts(body))
    expect(where('body.children[1].paragraph.rich_text[0].text.content.length')).toBe(
      'body.children[1].paragraph.text[0].text.content.length',
    )
    expect(where('body.children[1].paragraph.rich_text.length')).toBe('body.children[1].paragraph.text.length')
    expect(where('body.children[0].divider')).toBe('body.children[0].divider')
    expect(where('body.children[7].paragraph.rich_text')).toBe('body.children[7].paragraph.rich_text')
    expect(where('query.page_size')).toBe('query.page_size')
    expect(where('the block')).toBe('the block')
  })

  it('name the older key when both keys are missing', () => {
    const origins = new Origins()
    const content = {}
    origins.rename(content, 'text', 'rich_text')
    expect(content).toStrictEqual({})
    expect(origins.translatePath('body.paragraph.rich_text', parts({ paragraph: content }))).toBe('body.paragraph.text')
  })

  it('use the name that the caller sent, after several renames', () => {
    const origins = new Origins()
    const body = { a: 1 }
    origins.rename(body, 'a', 'b')
    origins.rename(body, 'b', 'c')
    expect(body).toStrictEqual({ c: 1 })
    expect(origins.translatePath('body.c', parts(body))).toBe('body.a')
  })

  it('omit steps that the caller did not send', () => {
    const origins = new Origins()
    const target = { id: 'x' }
    const position = { type: 'after_block', after_block: target }
    const body: Record<string, unknown> = { after: 'x', children: [] }
    origins.replace(body, 'after', 'position', position)
    origins.inline(position, 'type', 'after_block')
    origins.inline(target, 'id')
    expect(Object.keys(body)).toStrictEqual(['position', 'children'])
    for (const path of ['body.position', 'body.position.type', 'body.position.after_block', 'body.position.after_block.id']) {
      expect(origins.translatePath(path, parts(body))).toBe('body.after')
    }
  })

  it('match properties whose names contain dots and brackets, preferring the longest', () => {
    const origins = new Origins()
    const [short, long] = [{ text: 1 }, { text: 2 }]
    const body = { properties: { a: short, 'a.b': long, __proto__x: {}, 'c[0]': { text: 1 } } }
    origins.rename(long, 'text', 'rich_text')
    expect(origins.translatePath('body.properties.a.b.rich_text', parts(body))).toBe('body.properties.a.b.text')
    expect(origins.translatePath('body.properties.a.rich_text', parts(body))).toBe('body.properties.a.rich_text')
  })

  it('show hidden keys and values as the caller sent them', () => {
    const origins = new Origins()
    const body: Record<string, unknown> = { position: { type: 'end' }, value: 'data_source' }
    origins.hide(body, 'position')
    expect(body['position']).toBeUndefined()
    const [hidden = ''] = Object.keys(body)
    expect(isRefused(hidden)).toBe(false)
    expect(origins.translatePath(`body.${hidden}`, parts(body))).toBe('body.position')
    origins.renameValue(body, 'value', 'database', 'data_source')
    const complaint = { path: 'body.value', claim: 'should be one of `"page"`, `"data_source"`', value: body['value'] }
    expect(origins.translate(complaint, parts(body))).toStrictEqual({
      path: 'body.value',
      claim: 'should be one of `"page"`, `"database"`',
      value: 'data_source',
    })
    const refusing: Record<string, unknown> = { after: 1, position: 2 }
    origins.refuse(refusing, 'position')
    expect(Object.keys(refusing).map(isRefused)).toStrictEqual([false, true])
  })

  it('keep a key named __proto__', () => {
    const origins = new Origins()
    const body = JSON.parse('{"archived": true, "__proto__": {"polluted": true}}') as Record<string, unknown>
    origins.rename(body, 'archived', 'in_trash')
    expect(Object.keys(body)).toStrictEqual(['in_trash', '__proto__'])
    expect(body).not.toHaveProperty('polluted')
  })
})
