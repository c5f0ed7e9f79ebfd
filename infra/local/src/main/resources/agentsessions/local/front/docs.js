// Reads the contract of this very service; asks nothing of any other host, and sends no requests of its own.
SwaggerUIBundle({
  url: '/rest/v1/openapi.yaml',
  dom_id: '#contract',
  validatorUrl: null,
  queryConfigEnabled: false,
  supportedSubmitMethods: [],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
