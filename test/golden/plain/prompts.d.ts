// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-srEKezNHAZtNh56UrUEEcnNvKopqCI7KMYs90toxsxw=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * engineering · gpt-5-mini · v3
         *
         * ```text
         * You explain SQL to beginners.
         * ```
         */
        readonly "sql-explainer": Prompt<"sql-explainer", "v3", never>;
        /**
         * engineering · gpt-5-mini · v3
         *
         * ```text
         * You explain SQL to beginners.
         * ```
         */
        readonly "sqlExplainer": Prompt<"sql-explainer", "v3", never>;
        /**
         * support · gpt-5 · v22
         *
         * ```text
         * You triage support tickets of {{ company }}.
         * Answer with one word: bug, question or billing.
         * ```
         */
        readonly "support-triage": Prompt<"support-triage", "v22", "company" | "ticket">;
        /**
         * support · gpt-5 · v22
         *
         * ```text
         * You triage support tickets of {{ company }}.
         * Answer with one word: bug, question or billing.
         * ```
         */
        readonly "supportTriage": Prompt<"support-triage", "v22", "company" | "ticket">;
        /**
         * claude-opus-4 · 2024-06
         *
         * ```text
         * Write a welcome for {{ name }}.
         * ```
         */
        readonly "welcome": Prompt<"welcome", "2024-06", "name">;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}
