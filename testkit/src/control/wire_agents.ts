import type { AnyJson, components } from '../../../generated/control_types.ts'
import { ServiceError } from '@workspace-service/server/kernel/errors.ts'
import type { AgentTurn, TakenStep } from '../agents/script.ts'
import type { TestServer } from '../create_test_server.ts'
import { SeedError } from '../seed/seed.ts'
import { UnknownAgent } from '../agents/unknown_agent.ts'
import { seedFailure, requireTestWorkspace } from './wire_seeds.ts'

type Schemas = components['schemas']

/** @throws ServiceError with the path in the body */
export async function createWireAgent(
  server: TestServer,
  agent: Schemas['SeedAgentRequest'],
  workspaceId: string | undefined,
): Promise<Schemas['TestAgent']> {
  const workspace = requireTestWorkspace(server, workspaceId)
  try {
    const id = await server.createAgent(agent, workspace)
    return { object: 'test_agent', id, scripted_turns: agent.turns?.length ?? 0 }
  } catch (error) {
    if (error instanceof SeedError) throw seedFailure(error, (path) => path.replace('agents[0]', 'body'))
    throw error
  }
}

/** @throws ServiceError `object_not_found` */
export async function scriptTurns(
  server: TestServer,
  agentId: string,
  turns: readonly Schemas['ScriptedTurnRequest'][],
  workspaceId: string | undefined,
): Promise<Schemas['TestAgent']> {
  const workspace = requireTestWorkspace(server, workspaceId)
  try {
    const count = await server.scriptTurns(agentId, turns, workspace)
    return { object: 'test_agent', id: agentId, scripted_turns: count }
  } catch (error) {
    if (error instanceof UnknownAgent) throw new ServiceError('object_not_found', { message: error.message })
    throw error
  }
}

/** Turns in the form of the control API. @param agentId only those of this agent */
export function wireTurns(turns: readonly AgentTurn[], agentId: string | undefined): Schemas['AgentTurnList'] {
  const shown = turns.filter((turn) => agentId === undefined || turn.agentId === agentId)
  return { object: 'list', type: 'agent_turn', results: shown.map(wireTurn) }
}

function wireTurn({ agentId, sessionId, turn, message, tools, steps }: AgentTurn): Schemas['AgentTurn'] {
  const about = { agent_id: agentId, session_id: sessionId, turn, message, tools: [...tools] }
  return { object: 'agent_turn', ...about, steps: steps.map(wireStep) }
}

/** Arguments and results are JSON. */
function wireStep(step: TakenStep): Schemas['TurnStep'] {
  if (step.type !== 'tool_call' && step.type !== 'approval') return step
  const { isError, result, ...rest } = step
  return { ...rest, is_error: isError, result: result as AnyJson } as Schemas['TurnStep']
}
