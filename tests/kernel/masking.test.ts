import { describe, expect, it } from 'vitest'
import { secretFields, secretsOfRequests } from '../../generated/secret_fields.ts'
import { validationError } from '../../server/kernel/errors.ts'
import { isSecretName, maskBody, maskNamed, maskText, maskValue } from '../../server/kernel/masking.ts'

const SECRET = 'hunter2-Zq9'

describe('names of secrets', () => {
  it('are taken from the contract', () => {
    expect(secretFields).toEqual(
      expect.arrayContaining(['access_token', 'code_verifier', 'csrf_token', 'refresh_token', 'token']),
    )
    expect(secretFields).toEqual(expect.arrayContaining(['verification_token', 'x-service-signature']))
    expect(secretsOfRequests).toEqual({ createToken: ['code'] })
  })

  it.each([
    'csrf_token',
    'CSRF_TOKEN',
    'csrfToken',
    'csrf-token',
    'Set-Cookie',
    'user[password]',
    'a.client_secret',
    'X-Service-Signature',
  ])('include %s', (name) => expect(isSecretName(name)).toBe(true))

  it.each(['code', 'state', 'tokens', 'password_hint', 'code_challenge', 'next_cursor'])('do not include %s', (name) =>
    expect(isSecretName(name)).toBe(false),
  )
})

describe('the masking of text', () => {
  it.each([
    ['a form', `email=a%40b.example&password=${SECRET}&return_to=x`, 'email=a%40b.example&password=[redacted]&return_to=x'],
    ['a repeated field', `code=${SECRET}&code=${SECRET}2`, 'code=[redacted]&code=[redacted]'],
    ['a name in another case', `PassWord=${SECRET}`, 'PassWord=[redacted]'],
    ['a name in camel case', `?clientSecret=${SECRET}`, '?clientSecret=[redacted]'],
    [
      'an encoded name',
      `a=1&%70assword=${SECRET}&code%5fverifier=${SECRET}`,
      'a=1&%70assword=[redacted]&code%5fverifier=[redacted]',
    ],
    ['a name beside broken encoding', `a%ZZ=1&p%61ssword=${SECRET}`, 'a%ZZ=1&p%61ssword=[redacted]'],
    [
      'a nested field',
      `user[password]=${SECRET}&user%5Btoken%5D[]=${SECRET}`,
      'user[password]=[redacted]&user%5Btoken%5D[]=[redacted]',
    ],
    ['a redirect', `https://a.example/back?code=${SECRET}&state=s`, 'https://a.example/back?code=[redacted]&state=s'],
    ['a fragment', `https://a.example/back#access_token=${SECRET}`, 'https://a.example/back#access_token=[redacted]'],
    ['a second question mark', `/x?y?token=${SECRET}`, '/x?y?token=[redacted]'],
    [
      'an address in a parameter',
      `/sign-in?return_to=${encodeURIComponent(`/v1/x?code=${SECRET}`)}`,
      `/sign-in?return_to=${encodeURIComponent('/v1/x?code=[redacted]')}`,
    ],
    [
      'JSON in a parameter',
      `payload=${encodeURIComponent(JSON.stringify({ password: SECRET }))}`,
      `payload=${encodeURIComponent('{"password":"[redacted]"}')}`,
    ],
    [
      'a signed link in Markdown',
      `![Dock](https://a.example/files/x.png?expires=5&signature=${SECRET}) ok`,
      '![Dock](https://a.example/files/x.png?expires=5&signature=[redacted] ok',
    ],
    [
      'a signed link of a bucket',
      `https://b.example/x?X-Amz-Credential=${SECRET}&X-Amz-Signature=${SECRET}&n=1`,
      'https://b.example/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&n=1',
    ],
    ['a link in a page', `<a href="/x?a=1&amp;code=${SECRET}">`, '<a href="/x?a=1&amp;code=[redacted]">'],
    [
      'a field of a page',
      `<input type="hidden" name="csrf_token" value="${SECRET}">`,
      '<input type="hidden" name="csrf_token" value="[redacted]">',
    ],
    ['a field of a page, value first', `<input value='${SECRET}' name=token>`, '<input value="[redacted]" name=token>'],
    ['a verification token', `secret_4kTqZ8mVb2Xn7RcYp1LsWd9Hf3GjUa6EoQiKyMtBvNx came`, 'secret_[redacted] came'],
    ['a list of JSON in text', `[{"token":"${SECRET}"}]`, '[{"token":"[redacted]"}]'],
  ])('hides the secret of %s', (_what, text, expected) => expect(maskText(text)).toBe(expected))

  it.each(['body.code_verifier is missing', 'link_to_page and code_challenge_method', 'a=1&b=2', 'page_size=5', '{"a": 1}'])(
    'leaves a text without secrets unchanged: %s',
    (text) => expect(maskText(text)).toBe(text),
  )
})

describe('the masking of bodies', () => {
  it('hides secrets at every level, in lists and of any type', () => {
    const body = { a: [{ token: SECRET }, { b: { Client_Secret: [SECRET], password: { x: SECRET }, secret: 5, cookie: null } }] }
    expect(maskBody(JSON.stringify(body))).toEqual({
      a: [
        { token: '[redacted]' },
        { b: { Client_Secret: '[redacted]', password: '[redacted]', secret: '[redacted]', cookie: null } },
      ],
    })
  })

  it('hides a field that is secret in one operation only in that operation', () => {
    const body = JSON.stringify({ code: SECRET, grant_type: 'authorization_code' })
    expect(maskBody(body, 'createToken')).toEqual({ code: '[redacted]', grant_type: 'authorization_code' })
    expect(maskBody('{"code":{"language":"c"},"object":"error"}', 'createPage')).toEqual({
      code: { language: 'c' },
      object: 'error',
    })
  })

  it('hides secrets in JSON within JSON', () => {
    const body = { payload: JSON.stringify({ deep: JSON.stringify({ password: SECRET }) }) }
    expect(JSON.stringify(maskBody(JSON.stringify(body)))).not.toContain(SECRET)
  })

  it('keeps a key called __proto__', () => {
    expect(JSON.stringify(maskBody('{"__proto__":{"token":"x"},"a":1}'))).toBe('{"__proto__":{"token":"[redacted]"},"a":1}')
  })

  it.each([
    ['truncated JSON', `{"a":"b","password":"${SECRET}`],
    ['with a list', `{"a":"b","tokens":[],"token":["x","${SECRET}"`],
    ['with an escaped key', `{"a":"b","pass\\u0077ord":"${SECRET}"`],
    ['in single quotes', `{'a':'b','password':'${SECRET}'}`],
    ['as an event', `data: {"a":"b","access_token":"${SECRET}"}`],
  ])('shows a body that is not JSON up to the first secret: %s', (_what, text) => {
    expect(String(maskBody(text))).toMatch(/b.*\[redacted\]/)
    expect(maskBody(text)).not.toContain(SECRET)
  })

  it('hides the secret in a body nested too deeply', () => {
    const text = `${'['.repeat(200_000)}"${SECRET}"${']'.repeat(200_000)}`
    expect(JSON.stringify(maskBody(text))).not.toContain(SECRET)
  })

  it('takes linear time for a body of a megabyte', () => {
    for (const part of ['<input ', '&a', 'a://', '"a":', 'name=', '%', '"\\u0061', 'Basic ', '&amp;', "'"]) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length))
      const start = performance.now()
      maskBody(text)
      expect(performance.now() - start, part).toBeLessThan(2_000)
    }
  })
})

it('masking hides headers by name, and secrets in the addresses of other headers', () => {
  expect(maskNamed('Set-Cookie', `session=${SECRET}`)).toBe('[redacted]')
  expect(maskNamed('authorization', `Basic ${SECRET}`)).toBe('[redacted]')
  expect(maskNamed('referer', `https://a.example/?csrf_token=${SECRET}`)).toBe('https://a.example/?csrf_token=[redacted]')
})

it('masking hides further names and texts that are secret in a deployment', () => {
  const masking = { names: ['query'], known: [SECRET] }
  expect(maskValue({ query: 'a=1', text: `it is ${SECRET}` }, masking)).toEqual({ query: '[redacted]', text: 'it is [redacted]' })
})

it.each([
  ['body.code_verifier', SECRET],
  ['body.auth', { client_secret: SECRET }],
  ['query.code', SECRET],
  ['body.children[0].password', SECRET],
])('messages of refusals do not repeat the secret at %s', (path, value) => {
  const { message } = validationError(path, 'not present', value)
  expect(message).toContain('[redacted]')
  expect(message).not.toContain(SECRET)
})
