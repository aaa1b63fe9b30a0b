import type { TurnParts } from './turn_parts.ts'

/** Of a service whose agents have nothing to run on: their turns fail and say so. */
export const noAgentParts: Pick<TurnParts, 'runtimes' | 'tools'> = {
  runtimes: { for: () => undefined },
  tools: {
    toolsFor: () => [],
    carryOut: () => Promise.reject(new Error('there are no tools')),
    proposalOf: () => Promise.reject(new Error('there are no tools')),
    carryOutApproved: () => Promise.reject(new Error('there are no tools')),
    defaultParentOf: () => Promise.resolve(undefined),
  },
}
