import { sanitize } from '../core/text/sanitize.ts'
import { PACKAGE_NAME } from '../core/workspace-name.ts'
import type { UseAnalysis } from '../analysis/by-use/used-names.ts'

/** Prints why a module gets all prompts, with `DEBUG=unplugin-prompts:*` in the environment. */
export function debugUse(module: string, analysis: UseAnalysis): void {
  const namespace = `${PACKAGE_NAME}:analysis`
  if (analysis.use !== 'all' || !isDebugged(namespace, process.env['DEBUG'])) return
  const { reason, at } = analysis
  const place = at === undefined ? '' : ` (${at})`
  console.error(sanitize(`${namespace} ${module} gets all prompts: ${reason}${place}`))
}

/** Whether `DEBUG` asks for a namespace: names with `*`, and `-` before those to leave out. */
function isDebugged(namespace: string, wanted = ''): boolean {
  const matching = wanted.split(/[\s,]+/).filter((name) => {
    const pattern = name
      .replace(/^-/, '')
      .replaceAll(/[^\w*]/g, '\\$&')
      .replaceAll('*', '.*')
    return new RegExp(`^${pattern}$`).test(namespace)
  })
  return matching.length > 0 && !matching.some((name) => name.startsWith('-'))
}
