import type { JSX } from 'preact'
import { envVariable, virtualModuleId } from '../../../core/workspace-name.ts'
import { useData } from '../store.ts'
import { Command, Snippet } from './command.tsx'

/** The page of a project that pins no prompts yet, with the reason. */
export function FirstSteps({ why }: { readonly why: string }): JSX.Element {
  const { workspace, lockPath } = useData()
  const settings = ['BASE_URL', 'API_KEY'].map((name) => `${envVariable(workspace, name)}=`)
  return (
    <article class="page stack first-steps" aria-labelledby="first-steps-title">
      <h1 id="first-steps-title">No prompts yet</h1>
      <p class="lead dim">{why} Three steps bring them into the app.</p>
      <ol>
        <li>
          <h2>Name the service</h2>
          <p>
            Put its address and your key into <code>.env.local</code>, which git has to ignore:
          </p>
          <Snippet text={settings.join('\n')} label="the settings" />
        </li>
        <li>
          <h2>Pin the prompts</h2>
          <p>
            This writes <code>{lockPath}</code>, which you commit:
          </p>
          <Command command="pull" />
        </li>
        <li>
          <h2>Use one</h2>
          <p>Each prompt is a property, with typed variables:</p>
          <Snippet
            text={`import { prompts } from '${virtualModuleId(workspace)}'`}
            label="the import"
          />
        </li>
      </ol>
      <p class="dim">This page follows the lock: it changes as soon as there is one.</p>
    </article>
  )
}
