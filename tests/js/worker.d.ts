// What the server writes above the service worker (see pages/pwa.py).
declare const VERSION: string;
declare const ROOT: string;
declare const PARTS: string[];
