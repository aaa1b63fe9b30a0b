/** Parameters without a value count as omitted (RFC 6749, sections 3.1 and 3.2), and the contract says so. */

import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { operations } from '../../generated/operations.ts'
import { Browser, formText, hiddenFields } from '../harness/browser.ts'
import { publicContract, resolve, validatorOf, type DeclaredOperation } from '../harness/contract.ts'
import { authorizeAddress, basic, makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { exchange, expectOAuthError, SECOND_URI } from './support/exchange.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const EMPTY = { redirect_uri: '', state: '', code_challenge: '', code_challenge_method: '', scope: '' }

const server = await serverOfFile()
const client = await makeClient(server)
const several = await makeClient(server, { redirectUris: [RETURN_URI, SECOND_URI] })
const ines = new Browser(server)
await ines.signIn(server, exampleWorkspace.people[0].email)

describe('retrieveAuthorizationPage', () => {
  it.each(Object.keys(EMPTY))('200 as if omitted, for an optional parameter without a value: %s', async (name) => {
    const response = await ines.open(authorizeAddress(client, { [name]: '' }))
    expect(response.status).toBe(200)
    expect(hiddenFields(response.text)).not.toHaveProperty(name)
  })

  it.each(['client_id', 'redirect_uri'])('400 with an error page, for a required parameter without a value: %s', async (name) => {
    const response = await ines.open(authorizeAddress(several, { [name]: '' }))
    expect([response.status, response.headers.location]).toEqual([400, undefined])
  })

  it.each([
    ['response_type', { response_type: '' }],
    ['owner', { owner: '' }],
    ['code_challenge', { code_challenge: '', code_challenge_method: 'S256' }],
    ['code_challenge_method', { code_challenge: CHALLENGE, code_challenge_method: '' }],
  ])('302 with invalid_request, for a required parameter without a value: %s', async (_name, parameters) => {
    const response = await ines.open(authorizeAddress(client, parameters))
    expect(response.status).toBe(302)
    expect(new URL(String(response.headers.location)).searchParams.get('error')).toBe('invalid_request')
  })

  it('accepts an empty text in exactly the optional parameters', () => {
    const { components } = publicContract()
    const declared = (declaredOperation('retrieveAuthorizationPage').parameters ?? []).map((parameter) =>
      resolve(parameter, components.parameters),
    )
    const takesEmpty = declared.filter(({ schema }) => validatorOf(schema)('')).map(({ name }) => name)
    expect(takesEmpty).toEqual(declared.filter(({ required }) => required !== true).map(({ name }) => name))
  })
})

describe('createAuthorization', () => {
  it('303 with a code for a form without values for redirect URI, state and challenge', async () => {
    const page = await ines.open(authorizeAddress(client, EMPTY))
    const form = {
      ...EMPTY,
      ...hiddenFields(page.text),
      workspace_id: exampleWorkspace.workspace.id,
      page_ids: exampleWorkspace.pages.handbook,
      decision: 'allow',
    }
    expect(form).toMatchObject(EMPTY)
    expect(
      validatorOf({ $ref: '#/components/schemas/AuthorizationDecisionRequest' })({ ...form, page_ids: [form.page_ids] }),
    ).toBe(true)
    const response = await ines.submit('/v1/oauth/authorize', form)
    expect(response.status).toBe(303)
    const { searchParams } = new URL(String(response.headers.location))
    expect([...searchParams.keys()]).toStrictEqual(['code', 'iss'])
    expect((await exchange(client, String(searchParams.get('code')), {})).status).toBe(200)
  })
})

describe('createToken', () => {
  const sendForm = (fields: Readonly<Record<string, string>>): ReturnType<typeof client.call> =>
    server.caller(undefined, undefined).send('POST', '/v1/oauth/token', {
      headers: {
        Authorization: basic(client.clientId, client.clientSecret),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: formText(fields),
    })

  it('200 for a form without values for redirect_uri, code_verifier and external_account', async () => {
    const code = await obtainCode(server, client, { parameters: { redirect_uri: '' } })
    const account = { 'external_account[key]': '', 'external_account[name]': '' }
    const response = await sendForm({ grant_type: 'authorization_code', code, redirect_uri: '', code_verifier: '', ...account })
    expect(response.status, response.text).toBe(200)
  })

  it.each([
    ['grant_type', { grant_type: '', code: 'a' }],
    ['code', { grant_type: 'authorization_code', code: '' }],
    ['refresh_token', { grant_type: 'refresh_token', refresh_token: '' }],
  ])('400 invalid_request for a form without a value for %s', async (name, fields) => {
    expectOAuthError(await sendForm(fields), 400, 'invalid_request', `body.${name} should be defined`)
  })

  it.each(['redirect_uri', 'code_verifier'])('400 invalid_request for JSON with an empty %s', async (name) => {
    const code = await obtainCode(server, client, { parameters: { redirect_uri: undefined } })
    expectOAuthError(await exchange(client, code, { [name]: '' }), 400, 'invalid_request', `body.${name}`)
    expect((await exchange(client, code, {})).status).toBe(200)
  })
})

function declaredOperation(id: 'retrieveAuthorizationPage'): DeclaredOperation {
  const { path, method } = operations[id]
  const declared = publicContract().paths[path]?.[method]
  if (!declared) throw new Error(`no operation ${id}`)
  return declared
}
