import { isDeepStrictEqual } from 'node:util'
import { parseQuery, queryPairs } from '../../../server/http/parse_query.ts'
import { parseUrl } from '../../../server/http/parse_url.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import { mutateText } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'

const LISTS = new Set(['filter_properties', 'fields'])

/** An accepted query means the same as in `URLSearchParams`; a refused one gets an error of the service. */
export const target: Target = {
  seeds: [
    '/v1/pages/3af9f30c?page_size=10&start_cursor=abc',
    '/v1/data_sources/x/query?filter_properties[]=a%7Db&filter_properties=c+d',
    '/v1/caf%C3%A9/%2e%2E/?a=1&a=2&&=&b',
    '/?__proto__=1&constructor[]=2&%E2%82%AC=%f0%9f%98%80',
  ],
  words: [
    '&',
    '=',
    '[]',
    '%',
    '%00',
    '%2F',
    '%5c',
    '%C3',
    '%C3%A9',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%25',
    '+',
    '?',
    '/',
    '..',
    '#',
    ';',
  ],
  mutate: mutateText,
  growsTo: 65_536,
  check(written) {
    const input = written.toWellFormed()
    const url = settled(() => parseUrl(input))
    if (url?.segments.some((segment) => /^\.?$|\.\.|[/\\\0]/.test(segment) && segment !== ''))
      throw new Broken('no segment climbs', JSON.stringify(url.segments))
    const text = url?.query ?? input
    const query = settled(() => parseQuery(text, LISTS))
    const pairs = queryPairs(text)
    if (!query) return
    const expected = new URLSearchParams(text.startsWith('?') ? `&${text}` : text)
    const given = pairs.map(([name, value]) => [name, value])
    const wanted = [...expected].map(([name, value]) => [name.replace(/\[\]$/, ''), value])
    if (!isDeepStrictEqual(given, wanted)) throw new Broken('pairs are those of URLSearchParams', JSON.stringify([given, wanted]))
    for (const [name, value] of Object.entries(query)) {
      const all = Array.isArray(value)
        ? [...expected].filter(([key]) => key === name || key === `${name}[]`)
        : [[name, expected.get(name)]]
      if (
        !isDeepStrictEqual(
          [value].flat(),
          all.map(([, one]) => one),
        )
      )
        throw new Broken('values are those of URLSearchParams', JSON.stringify([name, value, all]))
    }
    if (Object.values(query).flat().length !== pairs.length) throw new Broken('nothing is lost', JSON.stringify([query, pairs]))
  },
}

function settled<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) return undefined
    throw error
  }
}
