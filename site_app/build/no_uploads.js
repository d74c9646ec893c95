// Stands in for the sending of rx.upload, which no form here uses: files go to POST /v1.0/attachments.
export const uploadFiles = () => {
  throw new Error("rx.upload is left out of this build: see site_app/build/no_uploads.js");
};
