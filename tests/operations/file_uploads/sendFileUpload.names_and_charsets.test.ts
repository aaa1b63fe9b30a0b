import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { create, file, png, send } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { basic, makeClient } from '../../harness/oauth.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

/** A name that is not a path, without characters that would display it as another name. */
const PLAIN = /^(?!\.{1,2}$)(?![A-Za-z]:\S)[^/\\\p{Cc}\u2028-\u202e\u2066-\u2069]+$/u

const NAMES: readonly [what: string, name: string][] = [
  ['a parent path', '../../etc/dock.png'],
  ['a parent path with backslashes', '..\\..\\dock.png'],
  ['a path', '/etc/dock.png'],
  ['a drive', 'C:\\temp\\dock.png'],
  ['a drive without a folder', 'C:dock.png'],
  ['a share', '\\\\host\\share\\dock.png'],
  ['the folder itself', '.'],
  ['the parent folder', '..'],
  ['a folder', 'dock.png/'],
  ['spaces', '   '],
  ['a zero byte', 'dock\0.png'],
  ['a control character', 'dock\x1b.png'],
  ['the end of a line', 'dock\r\nX-Evil: 1.png'],
  ['a direction override', 'dock\u202egnp.exe.png'],
  ['a line separator', 'dock\u2028.png'],
]

describe('createFileUpload', () => {
  it.each(NAMES)('400 at body.filename for %s', async (_what, filename) => {
    const response = await server.owner.call('createFileUpload', { body: { filename, content_type: 'image/png' } })
    expectInvalid(response, 'body.filename')
  })

  it('200 for unusual but valid names', async () => {
    for (const filename of [
      'Re: dock.png',
      'a: b.png',
      '...dock.png',
      '%2e%2e%2fdock.png',
      'dock.png.',
      'Größe ⛵.png',
      '~dock.png',
    ])
      expect((await create(server.owner, { filename, content_type: 'image/png' }))['filename'], filename).toMatch(PLAIN)
  })
})

describe('sendFileUpload', () => {
  it.each([...NAMES, ['an overlong slash', '..\xc0\xafdock.png'], ['a trailing dot', 'dock.png.']] as const)(
    '200 with a plain file name, or 400, for %s',
    async (_what, filename) => {
      const id = idOf(await create(server.owner))
      const sent = await send(server.owner, id, file(png, filename.replaceAll('\\', '\\\\'), 'image/png'))
      // A line break in the middle makes the form itself invalid.
      if (sent.status === 400) return expectError(sent, 400, 'validation_error')
      expect(sent.status).toBe(200)
      expect(sent.body['filename']).toMatch(PLAIN)
    },
  )
})

describe('a request with a charset other than UTF-8', () => {
  const CHARSETS = [
    'charset=utf-7',
    'charset="utf-7"',
    'CHARSET=UTF-16',
    'charset = latin1',
    'charset=utf-8; charset=utf-7',
    'charset=utf-7; charset=utf-8',
    'x=";"; charset=utf-7',
    'charset="utf\\-7"',
    'charset=',
  ]

  it('400 invalid_json for JSON, and invalid_request for OAuth forms', async () => {
    const client = await makeClient(server)
    for (const charset of CHARSETS) {
      const json = { 'Content-Type': `application/json; ${charset}` }
      const target = `/v1/blocks/${exampleWorkspace.pages.checklist}`
      expectError(await server.owner.send('PATCH', target, { headers: json, body: '{}' }), 400, 'invalid_json')
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const headers = { 'Content-Type': `${type}; ${charset}`, Authorization: basic(client.clientId, client.clientSecret) }
        const response = await server.caller(undefined, undefined).send('POST', '/v1/oauth/revoke', { headers, body: '' })
        expect([charset, response.status, response.body['error']]).toEqual([charset, 400, 'invalid_request'])
      }
    }
  })

  it('400 for a form with a file, and for a text inside such a form', async () => {
    for (const charset of CHARSETS.filter((one) => one !== 'charset=')) {
      const id = idOf(await create(server.owner, { mode: 'multi_part', filename: 'dock.png', number_of_parts: 1 }))
      const number = { name: 'part_number', value: '1', type: `text/plain; ${charset}` }
      expectInvalid(await send(server.owner, id, number, file(png, 'dock.png', 'image/png')), 'body.part_number')
    }
  })

  it('200 for UTF-8 in any spelling of the charset', async () => {
    for (const charset of ['charset=utf-8', 'Charset="UTF-8"', 'charset=utf8', 'x="charset=utf-7"']) {
      const headers = { 'Content-Type': `application/json; ${charset}` }
      const target = `/v1/blocks/${exampleWorkspace.pages.checklist}`
      expect((await server.owner.send('PATCH', target, { headers, body: '{}' })).status, charset).toBe(200)
    }
  })
})
