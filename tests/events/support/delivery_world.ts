import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection } from '../../harness/connections.ts'
import { deliveriesOf, type DeliveryRow } from '../../harness/deliveries.ts'
import { serverOfFile, TestClock, type TestServer } from '../../harness/server.ts'
import { receiverOfFile, type HookReceiver, type ReceivedHook } from '../../harness/webhook_receiver.ts'
import { activated, allowing } from '../../harness/webhooks.ts'

/** An active subscription of a separate connection. */
export interface ActiveSubscription {
  readonly id: string
  readonly token: string
  readonly caller: TestServer['owner']
  readonly connectionId: string
}

/** A server and a receiver for its deliveries, for all tests of a file. */
export interface DeliveryWorld {
  readonly server: TestServer
  readonly receiver: HookReceiver
  /** Subscribes a path of the receiver, which acknowledges deliveries from now on. */
  active(path?: string): Promise<ActiveSubscription>
  /** The received attempts to deliver an event, by its id. */
  attemptsAt(eventId: string): readonly ReceivedHook[]
  /** The first delivery of a subscription. */
  only(subscriptionId: string): Promise<DeliveryRow | undefined>
  /** Makes the receiver respond with 500 from now on. */
  fail(): void
}

export async function deliveryWorldOfFile(clock = new TestClock()): Promise<DeliveryWorld> {
  const receiver = await receiverOfFile()
  const server = await serverOfFile(allowing(receiver), clock)
  return {
    server,
    receiver,
    async active(path = 'in') {
      receiver.respondWith(undefined, path)
      const { caller, connectionId } = await makeConnection(server, {
        capabilities: ['read_content'],
        grants: [exampleWorkspace.workspace.id],
      })
      return { ...(await activated(caller, receiver, { path })), caller, connectionId }
    },
    attemptsAt: (eventId) => receiver.received.filter(({ body }) => body['id'] === eventId),
    only: async (subscriptionId) => (await deliveriesOf(server, subscriptionId))[0],
    fail: () => receiver.respondWith((response) => response.writeHead(500).end()),
  }
}
