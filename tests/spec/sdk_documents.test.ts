/** Each rule of the forms for client generators, with the smallest document that it changes. */

import { describe, expect, test } from 'vitest'
import type { Document, MediaType } from '../../scripts/generate/document.ts'
import * as keywords from '../../scripts/generate/sdk/keywords.ts'
import {
  headFor30,
  oneErrorShape,
  oneToken,
  shortHead,
  streamsAsText,
  webhooksApart,
  withoutExamples,
} from '../../scripts/generate/sdk/operations.ts'
import { documentOf, object, ref, text } from './support/sdk.ts'

describe('the contract for client generators', () => {
  const documentWith = (content: Record<string, MediaType>): Document =>
    documentOf(
      {
        ErrorObject: { oneOf: [ref('NotFound'), ref('Conflict')] },
        NotFound: object({ code: text }),
        Conflict: object({ code: text }),
        Note: object({}),
      },
      {
        paths: {
          '/v1/notes': {
            get: { operationId: 'listNotes', tags: [], responses: { '200': { description: 'So.', content } } },
          },
        },
      },
    )
  const contentOf = ({ paths }: Document): unknown => {
    const response = paths['/v1/notes']?.get?.responses['200']
    return response !== undefined && 'content' in response ? response.content : undefined
  }

  test('has errors of one shape', () => {
    const change = oneErrorShape('ErrorObject')
    expect(contentOf(change(documentWith({ 'application/json': { schema: ref('NotFound') } })))).toEqual({
      'application/json': { schema: ref('ErrorObject') },
    })
    const note = documentWith({ 'application/json': { schema: ref('Note') } })
    expect(change(note)).toEqual(note)
  })

  test('has event streams as text', () => {
    const stream = { 'text/event-stream': { 'x-event-stream': { frame: 'Note', event: 'type' }, schema: ref('Note') } }
    expect(contentOf(streamsAsText(documentWith(stream)))).toEqual({ 'text/event-stream': { schema: text } })
  })

  test('omits examples', () => {
    const shown = documentWith({ 'application/json': { schema: ref('Note'), examples: { note: { value: {} } } } })
    const bare = withoutExamples({ ...shown, components: { ...shown.components, examples: { Note: { value: {} } } } })
    expect(bare).toEqual(documentWith({ 'application/json': { schema: ref('Note') } }))
  })

  test('is described by the first paragraph of its guide', () => {
    const { info } = shortHead(documentOf({}, { info: { title: 'Notes', version: '1', description: 'Notes.\n\n# Limits\n' } }))
    expect(info).toEqual({ title: 'Notes', version: '1', description: 'Notes.' })
  })

  test('requires only a bearer token where OAuth is an alternative', () => {
    const components = {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
        oauth: { type: 'oauth2' },
      },
    }
    const securityOf = (security: Record<string, string[]>[]): unknown => {
      const paths = { '/v1/notes': { get: { operationId: 'listNotes', tags: [], responses: {}, security } } }
      const changed = oneToken(documentOf({}, { components, paths }))
      return [changed.paths['/v1/notes']?.get?.security, Object.keys(changed.components.securitySchemes ?? {})]
    }
    expect(securityOf([{ token: [] }, { oauth: ['read'] }])).toEqual([[{ token: [] }], ['token']])
    expect(securityOf([{ basic: [] }, { token: [] }])).toEqual([
      [{ basic: [] }, { token: [] }],
      ['token', 'basic'],
    ])
    expect(securityOf([{ oauth: ['read'] }])).toEqual([[{ oauth: ['read'] }], ['oauth']])
  })

  test('has its webhooks where tools for OpenAPI 3.0 expect them', () => {
    const webhooks = { created: {} }
    expect(webhooksApart(documentOf({}, { webhooks }))).toEqual(documentOf({}, { 'x-webhooks': webhooks }))
  })

  test('has the version, license and other top-level fields in the form of OpenAPI 3.0', () => {
    const info = { title: 'Notes', version: '1', summary: 'Notes.', license: { name: 'MIT', identifier: 'MIT' } }
    expect(headFor30(documentOf({}, { info, jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' }))).toEqual(
      documentOf(
        {},
        {
          openapi: '3.0.3',
          info: { title: 'Notes', version: '1', license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } },
        },
      ),
    )
  })

  test('has no text that would end a comment in generated code', () => {
    const document = documentOf({ Note: { description: 'Any of /v1/*/notes.', ...object({ description: text }) } })
    const { Note } = keywords.escapeCommentEnds(document).components.schemas ?? {}
    expect(Note).toEqual({ description: 'Any of /v1/*\\/notes.', ...object({ description: text }) })
  })
})
