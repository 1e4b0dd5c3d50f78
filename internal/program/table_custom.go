package program

// custom has the options that mean the same to whichever program: where its
// output goes, and that it writes to the files which it is given.
var custom = &Program{Options: "o,out,output,outfile,out-file,outputfile,output-file,output-path,output-filename,outpath,outdir,out-dir,outputdir,output-dir,output-directory,result-file,export-filename,dest,destination,pack-destination,log-file,logfile=write " +
	"write,fix,in-place,inplace*write"}

// Customary returns what an option means that no row tells of, by its name
// without dashes; nil where custom says nothing.
func Customary(name string) *Option { return custom.Grammar().Find(name, true) }
