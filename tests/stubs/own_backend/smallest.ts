import express from 'express'
import { createRouter, ServiceError } from 'workspace-service/server'

const members = new Map([['Bearer door-key', { id: '6794760a-1f15-45cd-9c65-0dfe42f5135a', name: 'Ines' }]])

const router = createRouter({
  authenticate: async ({ headers }) => members.get(headers.authorization ?? ''),
  handlers: {
    retrieveUser: async ({ path, caller }) => {
      if (path.user_id !== caller.id) throw new ServiceError('object_not_found', { message: 'This user does not exist.' })
      return { object: 'user', id: caller.id, type: 'person', name: caller.name, avatar_url: null, person: {} }
    },
  },
})
express().use(router).listen(4001, '127.0.0.1')
console.log('not implemented:', router.notImplemented.length)
