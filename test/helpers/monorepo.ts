import { join } from 'node:path'
import { APP_TSCONFIG, installTypes } from './app-folder.ts'
import { REPLY, TRIAGE } from './breaking-update.ts'
import { type GivenPrompt, testService, type TestService } from './local-service.ts'
import { pinnedProject } from './pinned-project.ts'

export const NEW_REPLY: GivenPrompt = { ...REPLY, version: 'v4', system: 'Dear {{ person }}' }
export const NEW_TRIAGE: GivenPrompt = { ...TRIAGE, version: 'v23', system: 'Sort: {{ ticket }}' }

export const CONFIG = { lock: '../../prompts.lock.json', apps: '../*' }

/**
 * A monorepo whose two apps use one lock: `apps/web` uses `triage`, `apps/site` uses `reply`.
 *
 * @param more - other files, or other texts of these
 */
export async function monorepo(more: Readonly<Record<string, string>> = {}): Promise<{
  readonly root: string
  readonly web: string
  readonly site: string
  readonly service: TestService
}> {
  const service = await testService([REPLY, TRIAGE])
  const files = {
    ...appFiles('web', `prompts.triage.render({ ticket: '' })`),
    ...appFiles('site', `prompts.reply.render({ name: '' })`),
    ...more,
  }
  const root = await pinnedProject(service, files, 'live', 'apps/web')
  await installTypes(root)
  return { root, web: join(root, 'apps/web'), site: join(root, 'apps/site'), service }
}

export function appFiles(name: string, code: string): Record<string, string> {
  return {
    [`apps/${name}/package.json`]: '{ "type": "module" }',
    [`apps/${name}/prompts.config.json`]: JSON.stringify(CONFIG),
    [`apps/${name}/tsconfig.json`]: APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    [`apps/${name}/src/main.ts`]: `import { prompts } from 'virtual:prompts'\n${code}\n`,
  }
}
