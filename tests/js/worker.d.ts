// What the server writes above the service worker (see install.py).
declare const VERSION: string;
declare const PARTS: string[];
