import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import url from 'node:url'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import { describe, expect, it } from 'vitest'
import { EovAdapter } from '../../server/contract/eov_adapter.ts'

/**
 * What `EovAdapter` relies on inside express-openapi-validator, each held against the release that is installed. After an upgrade, what
 * fails here says what has to be mended there.
 */

const { version } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('express-openapi-validator/package.json'), 'utf8'),
) as { version: string }

const NOTE = { type: 'object', properties: { text: { type: 'string', maxLength: 3 } }, required: ['text'], $id: 'note:/' }
const OPERATION = {
  parameters: [{ name: 'page_size', in: 'query', schema: { type: 'integer', maximum: 100 } }],
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: 'note:/' } } } },
  responses: {},
}
const KEY = 'POST-/v1/notes-application/json'

interface Insides {
  readonly ajv: Ajv2020
  readonly ajvBody: Ajv2020
}

/** One of its own, and its insides. */
function make(options: object = {}): { validator: RequestValidator; insides: Insides; document: { components: object } } {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {},
    components: { schemas: { Note: NOTE } },
  }
  const all = { allErrors: true, verbose: true, strict: false, discriminator: true, formats: {}, ...options }
  const validator = new RequestValidator(document as never, all as never)
  return { validator, insides: validator as unknown as Insides, document }
}

function requestWith(body: unknown, query: object = {}): Record<string, unknown> {
  return {
    method: 'POST',
    path: '/v1/notes',
    originalUrl: '/',
    headers: { 'content-type': 'application/json' },
    params: {},
    query,
    body,
    openapi: { expressRoute: '/v1/notes', openApiRoute: '/v1/notes', pathParams: {}, schema: OPERATION, serial: 0 },
  }
}

/** @returns what it throws at a request; undefined when it goes on to the next middleware */
function refusalOf(validator: RequestValidator, request: object): unknown {
  let hasGoneOn = false
  try {
    validator.validate(request as never, undefined as never, () => (hasGoneOn = true))
  } catch (refusal) {
    return refusal
  }
  expect(hasGoneOn).toBe(true)
  return undefined
}

describe(`express-openapi-validator ${version}`, () => {
  it('the class validates before it returns, and throws a refusal', () => {
    const { validator } = make()
    expect(refusalOf(validator, requestWith({ text: 'abc' }))).toBeUndefined()
    expect(refusalOf(validator, requestWith({ text: 'abcd' }))).toMatchObject({ status: 400 })
  })

  it('the request: EOV reads these properties and no others', () => {
    const read = new Set<string>()
    const watched = (target: object, prefix: string): object =>
      new Proxy(target, {
        get: (from, key, receiver) => {
          read.add(prefix + String(key))
          const value: unknown = Reflect.get(from, key, receiver)
          return key === 'openapi' ? watched(value as object, 'openapi.') : value
        },
      })
    refusalOf(make().validator, watched(requestWith({ text: 'abcd' }), ''))
    expect([...read].sort()).toEqual([
      'body',
      'cookies',
      'headers',
      'method',
      'openapi',
      'openapi.expressRoute',
      'openapi.pathParams',
      'openapi.schema',
      'originalUrl',
      'params',
      'path',
      'query',
    ])
  })

  it('the compilers: `ajv` converts parameters, `ajvBody` does not convert bodies; both are of the installed Ajv', () => {
    const { validator, insides } = make()
    expect(insides.ajv).toBeInstanceOf(Ajv2020)
    expect(insides.ajvBody).toBeInstanceOf(Ajv2020)
    const request = requestWith({ text: 'abc' }, { page_size: '5' })
    expect(refusalOf(validator, request)).toBeUndefined()
    expect(request['query']).toEqual({ page_size: 5 })
    expect(refusalOf(validator, requestWith({ text: 5 }))).toMatchObject({ status: 400 })
  })

  it('the options: the compilers get those that EOV does not know', () => {
    const collecting = {}
    const { insides } = make({ collecting, code: { optimize: false } })
    for (const { opts } of [insides.ajv, insides.ajvBody]) {
      expect(Reflect.get(opts, 'collecting')).toBe(collecting)
      expect(opts.code.optimize).toBe(0)
    }
  })

  it('the key: both compilers are asked by it before anything is compiled', () => {
    const { validator, insides } = make()
    const asked: string[] = []
    for (const compiler of [insides.ajv, insides.ajvBody]) {
      compiler.getSchema = ((key: string) => {
        asked.push(key)
        return Object.assign(() => true, { schema: {} })
      }) as never
    }
    expect(refusalOf(validator, requestWith({ text: 'far too long' }))).toBeUndefined()
    expect(asked.filter((key) => key === KEY)).toHaveLength(2)
    expect(EovAdapter.keyOf({ method: 'post', path: '/v1/notes', requestTypes: ['application/json'] })).toBe(KEY)
  })

  it('the key without a body, of a form and of another type equals `EovAdapter.keyOf`', () => {
    for (const type of [undefined, 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const { validator, insides } = make()
      const asked = new Set<string>()
      const getSchema = insides.ajv.getSchema.bind(insides.ajv)
      insides.ajv.getSchema = ((key: string) => {
        asked.add(key)
        return getSchema(key)
      }) as never
      const request = requestWith(type === undefined ? undefined : {})
      const openapi = { ...(request['openapi'] as object), schema: { responses: {} } }
      refusalOf(validator, { ...request, headers: type === undefined ? {} : { 'content-type': type }, openapi })
      const requestTypes = type === undefined ? [] : [type]
      expect([...asked]).toContain(EovAdapter.keyOf({ method: 'post', path: '/v1/notes', requestTypes }))
    }
  })

  it('the lookup reads the schema of a component that a parameter refers to, and never calls its validator', () => {
    const { validator, insides } = make()
    const asked: string[] = []
    insides.ajv.getSchema = ((key: string) => {
      asked.push(key)
      if (key !== 'size:/') return Object.assign(() => true, { schema: {} })
      const neverCalled = (): never => {
        throw new Error('it was called')
      }
      return Object.assign(neverCalled, { schema: { type: 'integer' }, schemaEnv: {} })
    }) as never
    const parameters = [{ name: 'page_size', in: 'query', schema: { $ref: 'size:/' } }]
    const request = requestWith({ text: 'abc' }, { page_size: '5' })
    const openapi = { ...(request['openapi'] as object), schema: { ...OPERATION, parameters } }
    expect(refusalOf(validator, { ...request, openapi })).toBeUndefined()
    expect(asked).toContain('size:/')
  })

  it('the components are read from the document when a validator is built', () => {
    const { validator, insides, document } = make()
    document.components = {}
    expect(refusalOf(validator, requestWith({ text: 'abcd' }))).toMatchObject({ status: 400 })
    expect(insides.ajvBody.getSchema(KEY)?.schema).toMatchObject({ components: {} })
  })

  it("the errors on the compiled function are Ajv's; those of the refusal lack limits and values", () => {
    const { validator, insides } = make()
    const refusal = refusalOf(validator, requestWith({ text: 'abcd' }, { page_size: '101' }))
    expect(refusal).toMatchObject({
      errors: [
        { path: '/query/page_size', errorCode: 'maximum.openapi.validation' },
        { path: '/body/text', errorCode: 'maxLength.openapi.validation' },
      ],
    })
    expect(JSON.stringify((refusal as { errors: object }).errors)).not.toContain('"limit"')
    const errors = [insides.ajv, insides.ajvBody].flatMap((compiler): ErrorObject[] => compiler.getSchema(KEY)?.errors ?? [])
    expect(errors).toMatchObject([
      { instancePath: '/query/page_size', keyword: 'maximum', params: { limit: 100 }, data: 101 },
      { instancePath: '/body/text', keyword: 'maxLength', params: { limit: 3 }, data: 'abcd' },
    ])
  })

  it('the warning: EOV calls `url.parse` for every request', () => {
    const { validator } = make()
    const { parse } = url
    let calls = 0
    const counted = (text: string): url.UrlWithStringQuery => {
      calls += 1
      return parse(text)
    }
    Object.assign(url, { parse: counted })
    try {
      for (let count = 0; count < 3; count += 1) refusalOf(validator, requestWith({ text: 'abc' }))
    } finally {
      Object.assign(url, { parse })
    }
    expect(calls).toBe(3)
  })

  it('the modules: there is one Ajv, that of this project', () => {
    const ours = createRequire(import.meta.url)
    const theirs = createRequire(ours.resolve('express-openapi-validator'))
    expect(theirs.resolve('ajv/package.json')).toBe(ours.resolve('ajv/package.json'))
  })
})
