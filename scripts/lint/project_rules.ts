/** The project's own rules, `.spectral.js`, run by Spectral on a bundle in memory. */

import spectralCore from '@stoplight/spectral-core'
import { Resolver } from '@stoplight/spectral-ref-resolver'
import ruleset from '../../.spectral.js'
import type { Document } from '../generate/document.ts'
import type { Problem } from './problem.ts'
import type { Locate } from './redocly.ts'

/** The rules follow references themselves. Spectral would otherwise inline every reference first, or at least look for them. */
class Unresolving extends Resolver {
  override async resolve(...[source, options]: Parameters<Resolver['resolve']>): ReturnType<Resolver['resolve']> {
    return { ...(await super.resolve({}, options)), result: source }
  }
}

const resolver = new Unresolving()

export class ProjectRules {
  readonly #spectral = new spectralCore.Spectral({ resolver })

  constructor() {
    this.#spectral.setRuleset(ruleset)
  }

  async problems(document: Document, locate: Locate): Promise<Problem[]> {
    const results = await this.#spectral.run({
      parsed: { data: document, diagnostics: [], ast: {}, lineMap: [] },
      getLocationForJsonPath: () => undefined, // `locate` finds the lines in the sources
    })
    return Promise.all(
      results.map(async ({ code, severity, message, path }): Promise<Problem> => {
        const kind = severity === 0 ? 'error' : 'warning'
        return { tool: 'spectral', rule: String(code), severity: kind, message, ...(await locate(path)) }
      }),
    )
  }
}
