/** The project's own rules, `.spectral.yaml`, run by Spectral on a bundle in memory. */

import fs from 'node:fs'
import { join } from 'node:path'
import spectralCore from '@stoplight/spectral-core'
import { Resolver } from '@stoplight/spectral-ref-resolver'
import { bundleAndLoadRuleset } from '@stoplight/spectral-ruleset-bundler/with-loader'
import type { Document } from '../generate/document.ts'
import { projectRoot } from '../generate/files.ts'
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
  readonly #spectral: InstanceType<typeof spectralCore.Spectral>

  private constructor(spectral: InstanceType<typeof spectralCore.Spectral>) {
    this.#spectral = spectral
  }

  /** Reads `.spectral.yaml` and the rules of `spec/rules/`. */
  static async load(): Promise<ProjectRules> {
    const spectral = new spectralCore.Spectral({ resolver })
    spectral.setRuleset(await bundleAndLoadRuleset(join(projectRoot, '.spectral.yaml'), { fs, fetch }))
    return new ProjectRules(spectral)
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
