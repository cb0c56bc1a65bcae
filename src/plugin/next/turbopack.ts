import { envVariable, PACKAGE_NAME } from '../../core/workspace-name.ts'
import type { Options } from '../../config/options.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { idsOf } from '../ids.ts'
import { version } from '../../../package.json' with { type: 'json' }

/** As much of Next's `turbopack` as is extended here. */
export interface TurbopackConfig {
  readonly resolveAlias?: Readonly<Record<string, unknown>> | undefined
  readonly rules?: Readonly<Record<string, unknown>> | undefined
}

/** The options of the loader. They are part of what Turbopack keys its cache on the disk by. */
export interface LoaderOptions {
  /** Of this package: another one may print other code. */
  readonly version: string
  /** Each call of `withPrompts()` by its `name`. */
  readonly instances: Readonly<Record<string, LoaderInstance>>
}

/** One call of `withPrompts()`. */
export interface LoaderInstance {
  /** Without keys. */
  readonly options: Options
  /** The variable that chooses the view, if it is set. */
  readonly environment?: string
}

/**
 * What Turbopack is given to read, since it has no plugins: a file of this package whose query
 * names the module. The loader replaces its text. Not `.js`, which the Pages Router would leave to
 * Node, and the loader with it.
 */
export const MODULE_FILE = 'next.prompts'

const RULE = '*.prompts'
const LOADER = `${PACKAGE_NAME}/next-loader`

/**
 * Adds the aliases and the loader of a workspace.
 *
 * @throws PromptsError NAME_TAKEN; OPTIONS_INVALID if the app has a rule for the same files
 */
export function withTurbopack(
  { resolveAlias, rules, ...others }: TurbopackConfig | undefined = {},
  name: string,
  options: Options,
): TurbopackConfig {
  const instances = instancesIn(rules?.[RULE])
  const environment = process.env[envVariable(name, 'ENVIRONMENT')]
  if (Object.hasOwn(instances, name)) throw new PromptsError('NAME_TAKEN', { name })
  const loaderOptions = {
    version,
    // Next takes nothing that JSON would change, such as `undefined`.
    instances: {
      ...instances,
      [name]: JSON.parse(JSON.stringify({ options, environment })) as LoaderInstance,
    },
  } satisfies LoaderOptions
  const loader = { loader: LOADER, options: loaderOptions }
  return {
    ...others,
    resolveAlias: { ...resolveAlias, ...aliasesOf(name) },
    rules: { ...rules, [RULE]: { loaders: [loader], as: '*.js' } },
  }
}

/** `virtual:prompts` and what is below it, with a mark if the code is for browsers. */
function aliasesOf(name: string): Record<string, unknown> {
  const { entry } = idsOf(name)
  const file = (id: string, browser: boolean): string =>
    `${PACKAGE_NAME}/${MODULE_FILE}${toQuery({ id, browser })}`
  const alias = (id: string): object => ({ browser: file(id, true), default: file(id, false) })
  return { [entry]: alias(entry), [`${entry}/*`]: alias(`${entry}/*`) }
}

function instancesIn(rule: unknown): LoaderOptions['instances'] {
  if (rule === undefined) return {}
  const [own] = [Object(rule).loaders].flat()
  if (Object(own).loader === LOADER)
    return (own as { readonly options: LoaderOptions }).options.instances
  const problem = `turbopack.rules: ${RULE} is for the modules of ${PACKAGE_NAME}, and has a rule already`
  throw new PromptsError('OPTIONS_INVALID', {
    source: 'the configuration of Next',
    problems: [problem],
  })
}

/** The parsed query of a module. */
export interface ModuleQuery {
  /** Such as `virtual:prompts/all`. */
  readonly id: string
  /** Whether the code of the app that imports it is for browsers. */
  readonly browser: boolean
}

const BROWSER = '&browser'

/** The query that identifies a module in Turbopack: `?virtual:prompts`. */
export function toQuery({ id, browser }: ModuleQuery): string {
  return `?${id}${browser ? BROWSER : ''}`
}

/** Parses the result of {@link toQuery}. */
export function parseQuery(query: string): ModuleQuery {
  const browser = query.endsWith(BROWSER)
  return { id: query.slice(1, browser ? -BROWSER.length : undefined), browser }
}
