import type { Rolldown } from 'tsdown'

/**
 * Loads ts-morph with `require`. For an `import`, Node first parses all of TypeScript to find the names of
 * its exports, even if it is loaded already: 0.15 s at the end of each pull.
 */
export function requiredTsMorph(): Rolldown.Plugin {
  return {
    name: 'required-ts-morph',
    renderChunk: (code) =>
      code.replace(
        /^import \{(.*)\} from "ts-morph";$/m,
        (_, names: string) => `import { createRequire as requireFrom } from "node:module";
const {${names.replaceAll(' as ', ': ')}} = requireFrom(import.meta.url)("ts-morph");`,
      ),
  }
}
