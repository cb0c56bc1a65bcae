// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-P6cWsTrYMEweeAVfeKTOTFe+6ff0vfzsOJpnQsiefxg=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{{a}}} and {{ a }} }}
         * ```
         */
        readonly "braces": Prompt<"braces", "v1", "a">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{first}} then text
         * ```
         */
        readonly "first-a-variable": Prompt<"first-a-variable", "v1", "first" | "second">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{first}} then text
         * ```
         */
        readonly "firstAVariable": Prompt<"first-a-variable", "v1", "first" | "second">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{ user.name }} {{user-id}} {{_}} {{größe}} {{票据}} {{constructor}} {{__proto__}}
         * ```
         */
        readonly "flat-names": Prompt<"flat-names", "v1", "user.name" | "user-id" | "_" | "größe" | "票据" | "constructor" | "__proto__">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{ user.name }} {{user-id}} {{_}} {{größe}} {{票据}} {{constructor}} {{__proto__}}
         * ```
         */
        readonly "flatNames": Prompt<"flat-names", "v1", "user.name" | "user-id" | "_" | "größe" | "票据" | "constructor" | "__proto__">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{
         * a}} {{ unclosed
         * ```
         */
        readonly "no-tokens": Prompt<"no-tokens", "v1", never>;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{
         * a}} {{ unclosed
         * ```
         */
        readonly "noTokens": Prompt<"no-tokens", "v1", never>;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * {{a}} {{ a }} {{ a }} {{a}}
         * ```
         */
        readonly "spellings": Prompt<"spellings", "v1", "a" | "b">;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}
