// What the console uses of its libraries, of which only the files for browsers are kept.
declare module 'lit' {
  export class LitElement extends HTMLElement {
    readonly updateComplete: Promise<boolean>;
    readonly hasUpdated: boolean;
    requestUpdate(): void;
    connectedCallback(): void;
    disconnectedCallback(): void;
    // What a part looks for is what it has rendered.
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
  }
  export const html: (texts: TemplateStringsArray, ...values: unknown[]) => object;
  export const svg: (texts: TemplateStringsArray, ...values: unknown[]) => object;
  export const nothing: symbol;
}
// Parts that others ask for something by name.
interface HTMLElementTagNameMap {
  'message-composer': any;
  'session-roster': any;
  'session-view': any;
  'shortcut-list': any;
  'transcript-view': any;
}
declare module 'lit/*';
declare module 'marked';
declare module 'dompurify';
declare const DOMPurify: any;
