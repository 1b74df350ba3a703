import { redirect } from "next/navigation"

/** The address of the settings page in earlier versions. */
export default function StatusPage() {
  redirect("/settings/system")
}
