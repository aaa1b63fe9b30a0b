import { beforeAll, describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { append, makePage } from '../harness/content.ts'
import { expectError } from '../harness/expectations.ts'
import { at, resultsOf } from '../harness/json.ts'
import { authorize, makeClient, type Authorization } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const [ines, tomas] = exampleWorkspace.people
const CONTENT: readonly Capability[] = ['read_content', 'insert_content', 'update_content']

const server = await serverOfFile()
const page = await makePage(server.owner)

const fullTomas = { object: 'user', id: tomas.id, type: 'person', name: tomas.name, avatar_url: null }
const otherBot = {
  object: 'user',
  id: exampleWorkspace.bot.id,
  type: 'bot',
  name: exampleWorkspace.bot.name,
  avatar_url: null,
  bot: {},
}

const levels: readonly (readonly [
  level: string,
  capabilities: readonly Capability[],
  person: object,
  bot: object,
  owner: object,
  text: string,
])[] = [
  [
    'none',
    [],
    { object: 'user', id: tomas.id },
    { object: 'user', id: exampleWorkspace.bot.id },
    { object: 'user', id: ines.id },
    '@Anonymous',
  ],
  [
    'without email',
    ['read_user_without_email'],
    { ...fullTomas, person: {} },
    otherBot,
    { object: 'user', id: ines.id, type: 'person', name: ines.name, avatar_url: null, person: {} },
    '@Tomas Reyes',
  ],
  [
    'with email',
    ['read_user_with_email'],
    { ...fullTomas, person: { email: tomas.email } },
    otherBot,
    { object: 'user', id: ines.id, type: 'person', name: ines.name, avatar_url: null, person: { email: ines.email } },
    '@Tomas Reyes',
  ],
]

for (const [level, capabilities, person, bot, owner, plainText] of levels) {
  describe(`the user information level ${level}`, () => {
    let authorization: Authorization
    beforeAll(async () => {
      authorization = await authorize(server, await makeClient(server, { capabilities: [...CONTENT, ...capabilities] }), {
        pages: [page],
      })
    })

    it("does not limit what a bot sees of itself, but applies to the bot's owner", async () => {
      const { body } = await authorization.caller.call('retrieveMe')
      expect(body).toMatchObject({ object: 'user', id: authorization.botId, type: 'bot', name: 'Tide Planner' })
      expect(at(body, 'bot', 'owner')).toStrictEqual({ type: 'user', user: owner })
      expect(at(body, 'bot', 'workspace_id')).toBe(exampleWorkspace.workspace.id)
    })

    it('applies to people and other bots in mentions', async () => {
      const [block] = await append(authorization.caller, page, [
        {
          paragraph: {
            rich_text: [{ mention: { user: { id: tomas.id } } }, { mention: { user: { id: exampleWorkspace.bot.id } } }],
          },
        },
      ])
      expect(at(block, 'paragraph', 'rich_text', 0, 'mention', 'user')).toStrictEqual(person)
      expect(at(block, 'paragraph', 'rich_text', 1, 'mention', 'user')).toStrictEqual(bot)
      expect(at(block, 'paragraph', 'rich_text', 0, 'plain_text')).toBe(plainText)
      expect(at(block, 'created_by')).toStrictEqual({ object: 'user', id: authorization.botId })
    })

    it('applies to the user endpoints', async () => {
      const [list, one] = [
        await authorization.caller.call('listUsers'),
        await authorization.caller.call('retrieveUser', { path: { user_id: tomas.id } }),
      ]
      if (level === 'none') {
        for (const response of [list, one]) {
          expectError(response, 403, 'restricted_resource')
          expect(response.body['additional_data']).toMatchObject({ required_capability: expect.anything() })
        }
        return
      }
      const { request_id: requestId, ...user } = one.body
      expect(requestId).toBeDefined()
      expect(user).toStrictEqual(person)
      const found = resultsOf(list.body)
      expect(found).toContainEqual(person)
      expect(found).toContainEqual(bot)
      expect(
        at(
          found.find(({ id }) => id === authorization.botId),
          'bot',
          'owner',
        ),
      ).toStrictEqual({ type: 'user', user: owner })
    })
  })
}
