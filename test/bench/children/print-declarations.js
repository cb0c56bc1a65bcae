// Prints the declarations of a lock one way, once, and sends what that took without the imports.
import { dirname } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [way, path, modules] = process.argv.slice(2)
const { lock, plan, declarations, generate } = JSON.parse(modules)
const load = (file) => import(pathToFileURL(file).href)

/** Each returns a function to measure. */
const WAYS = {
  async ours(pinned) {
    const { printDeclarations } = await load(declarations)
    const { planModule } = await load(plan)
    return () => printDeclarations(planModule(pinned))
  },
  async strings(pinned) {
    const { default: typescript } = await import('typescript')
    return () => {
      const text = plainDeclarations(pinned)
      typescript.createSourceFile('prompts.d.ts', text, typescript.ScriptTarget.Latest, true)
      return text
    }
  },
  async current(pinned) {
    const { writeDeclarations } = await load(generate)
    const root = dirname(path)
    const dts = `${root}/prompts.d.ts`
    await writeDeclarations(pinned, { root, dts })
    return async () => writeDeclarations(pinned, { root, dts })
  },
}

function plainDeclarations({ prompts }) {
  const properties = prompts.flatMap((prompt) => {
    const names = new Set(
      [...prompt.source.matchAll(/\{\{\s*([\w.-]+)\s*\}\}/g)].map(([, name]) =>
        JSON.stringify(name),
      ),
    )
    const shown = prompt.system.split('\n').slice(0, 5)
    const type = `Prompt<"${prompt.slug}", "${prompt.version}", ${[...names].join(' | ')}>`
    const doc = ['/**', ...shown.map((line) => ` * ${line}`), ' */'].map((line) => `    ${line}\n`)
    const camel = prompt.slug.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
    return [prompt.slug, camel].map((name) => `${doc.join('')}    readonly "${name}": ${type};\n`)
  })
  return `// header
declare module "virtual:prompts" {
  import type { Prompt } from "unplugin-prompts/runtime";
  export interface Prompts {
${properties.join('')}  }
  export const prompts: Prompts;
}
`
}

const { createLockStore } = await load(lock)
const pinned = await createLockStore(path, dirname(path)).read()
const print = await WAYS[way](pinned)
const started = performance.now()
const text = await print()
process.send({ each: performance.now() - started, length: text.length })
